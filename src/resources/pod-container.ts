import { z } from "zod";

/**
 * `corev1.Container` and `corev1.Probe` as the CRD of `Ironic` carries them below `spec.overrides`. They mean
 * something to the operator in a target cluster only; here they are checked, so that a typing error is found before
 * the hand-over, and passed on.
 * https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#Container
 */

const text = z.string().optional();
const texts = z.array(z.string()).optional();
const flag = z.boolean().optional();
const intOrString = z.union([z.int(), z.string()]);

/** `resource.Quantity`: `500m`, `2Gi`, `1e3`. */
export const quantity = z.union([
	z.int(),
	z
		.string()
		.regex(
			/^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/,
			"must be a quantity such as 500m or 2Gi",
		),
]);

export const fieldReference = z.strictObject({ apiVersion: text, fieldPath: z.string() });
export const resourceFieldReference = z.strictObject({
	containerName: text,
	divisor: quantity.optional(),
	resource: z.string(),
});
const keyReference = z.strictObject({ key: z.string(), name: z.string().default(""), optional: flag });
const envFromReference = z.strictObject({ name: z.string().default(""), optional: flag });
const execAction = z.strictObject({ command: texts });
const httpGetAction = z.strictObject({
	host: text,
	httpHeaders: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
	path: text,
	port: intOrString,
	scheme: text,
});
const tcpSocketAction = z.strictObject({ host: text, port: intOrString });
const lifecycleHandler = z.strictObject({
	exec: execAction.optional(),
	httpGet: httpGetAction.optional(),
	sleep: z.strictObject({ seconds: z.int() }).optional(),
	tcpSocket: tcpSocketAction.optional(),
});
const securityProfile = z.strictObject({ localhostProfile: text, type: z.string() });
export const probeSchema = z.strictObject({
	exec: execAction.optional(),
	failureThreshold: z.int32().optional(),
	grpc: z.strictObject({ port: z.int32(), service: z.string().default("") }).optional(),
	httpGet: httpGetAction.optional(),
	initialDelaySeconds: z.int32().optional(),
	periodSeconds: z.int32().optional(),
	successThreshold: z.int32().optional(),
	tcpSocket: tcpSocketAction.optional(),
	terminationGracePeriodSeconds: z.int().optional(),
	timeoutSeconds: z.int32().optional(),
});
const environmentVariable = z.strictObject({
	name: z.string(),
	value: text,
	valueFrom: z
		.strictObject({
			configMapKeyRef: keyReference.optional(),
			fieldRef: fieldReference.optional(),
			fileKeyRef: z
				.strictObject({
					key: z.string(),
					optional: z.boolean().default(false),
					path: z.string(),
					volumeName: z.string(),
				})
				.optional(),
			resourceFieldRef: resourceFieldReference.optional(),
			secretKeyRef: keyReference.optional(),
		})
		.optional(),
});
const securityContext = z.strictObject({
	allowPrivilegeEscalation: flag,
	appArmorProfile: securityProfile.optional(),
	capabilities: z.strictObject({ add: texts, drop: texts }).optional(),
	privileged: flag,
	procMount: text,
	readOnlyRootFilesystem: flag,
	runAsGroup: z.int().optional(),
	runAsNonRoot: flag,
	runAsUser: z.int().optional(),
	seLinuxOptions: z.strictObject({ level: text, role: text, type: text, user: text }).optional(),
	seccompProfile: securityProfile.optional(),
	windowsOptions: z
		.strictObject({
			gmsaCredentialSpec: text,
			gmsaCredentialSpecName: text,
			hostProcess: flag,
			runAsUserName: text,
		})
		.optional(),
});
const resources = z.strictObject({
	claims: z.array(z.strictObject({ name: z.string(), request: text })).optional(),
	limits: z.record(z.string(), quantity).optional(),
	requests: z.record(z.string(), quantity).optional(),
});
export const containerSchema = z.strictObject({
	args: texts,
	command: texts,
	env: z.array(environmentVariable).optional(),
	envFrom: z
		.array(
			z.strictObject({
				configMapRef: envFromReference.optional(),
				prefix: text,
				secretRef: envFromReference.optional(),
			}),
		)
		.optional(),
	image: text,
	imagePullPolicy: text,
	lifecycle: z
		.strictObject({
			postStart: lifecycleHandler.optional(),
			preStop: lifecycleHandler.optional(),
			stopSignal: text,
		})
		.optional(),
	livenessProbe: probeSchema.optional(),
	name: z.string(),
	ports: z
		.array(
			z.strictObject({
				containerPort: z.int32(),
				hostIP: text,
				hostPort: z.int32().optional(),
				name: text,
				protocol: z.string().default("TCP"),
			}),
		)
		.optional(),
	readinessProbe: probeSchema.optional(),
	resizePolicy: z.array(z.strictObject({ resourceName: z.string(), restartPolicy: z.string() })).optional(),
	resources: resources.optional(),
	restartPolicy: text,
	restartPolicyRules: z
		.array(
			z.strictObject({
				action: z.string(),
				exitCodes: z.strictObject({ operator: z.string(), values: z.array(z.int32()).optional() }).optional(),
			}),
		)
		.optional(),
	securityContext: securityContext.optional(),
	startupProbe: probeSchema.optional(),
	stdin: flag,
	stdinOnce: flag,
	terminationMessagePath: text,
	terminationMessagePolicy: text,
	tty: flag,
	volumeDevices: z.array(z.strictObject({ devicePath: z.string(), name: z.string() })).optional(),
	volumeMounts: z
		.array(
			z.strictObject({
				mountPath: z.string(),
				mountPropagation: text,
				name: z.string(),
				readOnly: flag,
				recursiveReadOnly: text,
				subPath: text,
				subPathExpr: text,
			}),
		)
		.optional(),
	workingDir: text,
});
