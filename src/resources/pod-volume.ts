import { z } from "zod";
import { fieldReference, quantity, resourceFieldReference } from "./pod-container.ts";

/**
 * `corev1.Volume` as the CRD of `Ironic` carries it below `spec.overrides.volumes`: checked and passed on to the
 * target cluster.
 * https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/volume/
 */

const text = z.string().optional();
const texts = z.array(z.string()).optional();
const flag = z.boolean().optional();

const keyToPath = z.strictObject({ key: z.string(), mode: z.int32().optional(), path: z.string() });
const secretName = z.strictObject({ name: z.string().default("") });
const downwardFile = z.strictObject({
	fieldRef: fieldReference.optional(),
	mode: z.int32().optional(),
	path: z.string(),
	resourceFieldRef: resourceFieldReference.optional(),
});
const labelSelector = z.strictObject({
	matchExpressions: z
		.array(z.strictObject({ key: z.string(), operator: z.string(), values: texts }))
		.optional(),
	matchLabels: z.record(z.string(), z.string()).optional(),
});
const projectedSource = z.strictObject({
	clusterTrustBundle: z
		.strictObject({
			labelSelector: labelSelector.optional(),
			name: text,
			optional: flag,
			path: z.string(),
			signerName: text,
		})
		.optional(),
	configMap: z
		.strictObject({ items: z.array(keyToPath).optional(), name: z.string().default(""), optional: flag })
		.optional(),
	downwardAPI: z.strictObject({ items: z.array(downwardFile).optional() }).optional(),
	podCertificate: z
		.strictObject({
			certificateChainPath: text,
			credentialBundlePath: text,
			keyPath: text,
			keyType: z.string(),
			maxExpirationSeconds: z.int32().optional(),
			signerName: z.string(),
			userAnnotations: z.record(z.string(), z.string()).optional(),
		})
		.optional(),
	secret: z
		.strictObject({ items: z.array(keyToPath).optional(), name: z.string().default(""), optional: flag })
		.optional(),
	serviceAccountToken: z
		.strictObject({ audience: text, expirationSeconds: z.int().optional(), path: z.string() })
		.optional(),
});
const volumeClaimTemplate = z.strictObject({
	metadata: z.record(z.string(), z.unknown()).optional(),
	spec: z.strictObject({
		accessModes: texts,
		dataSource: z.strictObject({ apiGroup: text, kind: z.string(), name: z.string() }).optional(),
		dataSourceRef: z
			.strictObject({ apiGroup: text, kind: z.string(), name: z.string(), namespace: text })
			.optional(),
		resources: z
			.strictObject({
				limits: z.record(z.string(), quantity).optional(),
				requests: z.record(z.string(), quantity).optional(),
			})
			.optional(),
		selector: labelSelector.optional(),
		storageClassName: text,
		volumeAttributesClassName: text,
		volumeMode: text,
		volumeName: text,
	}),
});
export const volumeSchema = z.strictObject({
	awsElasticBlockStore: z
		.strictObject({ fsType: text, partition: z.int32().optional(), readOnly: flag, volumeID: z.string() })
		.optional(),
	azureDisk: z
		.strictObject({
			cachingMode: text,
			diskName: z.string(),
			diskURI: z.string(),
			fsType: z.string().default("ext4"),
			kind: text,
			readOnly: z.boolean().default(false),
		})
		.optional(),
	azureFile: z.strictObject({ readOnly: flag, secretName: z.string(), shareName: z.string() }).optional(),
	cephfs: z
		.strictObject({
			monitors: z.array(z.string()),
			path: text,
			readOnly: flag,
			secretFile: text,
			secretRef: secretName.optional(),
			user: text,
		})
		.optional(),
	cinder: z
		.strictObject({ fsType: text, readOnly: flag, secretRef: secretName.optional(), volumeID: z.string() })
		.optional(),
	configMap: z
		.strictObject({
			defaultMode: z.int32().optional(),
			items: z.array(keyToPath).optional(),
			name: z.string().default(""),
			optional: flag,
		})
		.optional(),
	csi: z
		.strictObject({
			driver: z.string(),
			fsType: text,
			nodePublishSecretRef: secretName.optional(),
			readOnly: flag,
			volumeAttributes: z.record(z.string(), z.string()).optional(),
		})
		.optional(),
	downwardAPI: z
		.strictObject({ defaultMode: z.int32().optional(), items: z.array(downwardFile).optional() })
		.optional(),
	emptyDir: z.strictObject({ medium: text, sizeLimit: quantity.optional() }).optional(),
	ephemeral: z.strictObject({ volumeClaimTemplate: volumeClaimTemplate.optional() }).optional(),
	fc: z
		.strictObject({
			fsType: text,
			lun: z.int32().optional(),
			readOnly: flag,
			targetWWNs: texts,
			wwids: texts,
		})
		.optional(),
	flexVolume: z
		.strictObject({
			driver: z.string(),
			fsType: text,
			options: z.record(z.string(), z.string()).optional(),
			readOnly: flag,
			secretRef: secretName.optional(),
		})
		.optional(),
	flocker: z.strictObject({ datasetName: text, datasetUUID: text }).optional(),
	gcePersistentDisk: z
		.strictObject({ fsType: text, partition: z.int32().optional(), pdName: z.string(), readOnly: flag })
		.optional(),
	gitRepo: z.strictObject({ directory: text, repository: z.string(), revision: text }).optional(),
	glusterfs: z.strictObject({ endpoints: z.string(), path: z.string(), readOnly: flag }).optional(),
	hostPath: z.strictObject({ path: z.string(), type: text }).optional(),
	image: z.strictObject({ pullPolicy: text, reference: text }).optional(),
	iscsi: z
		.strictObject({
			chapAuthDiscovery: flag,
			chapAuthSession: flag,
			fsType: text,
			initiatorName: text,
			iqn: z.string(),
			iscsiInterface: z.string().default("default"),
			lun: z.int32(),
			portals: texts,
			readOnly: flag,
			secretRef: secretName.optional(),
			targetPortal: z.string(),
		})
		.optional(),
	name: z.string(),
	nfs: z.strictObject({ path: z.string(), readOnly: flag, server: z.string() }).optional(),
	persistentVolumeClaim: z.strictObject({ claimName: z.string(), readOnly: flag }).optional(),
	photonPersistentDisk: z.strictObject({ fsType: text, pdID: z.string() }).optional(),
	portworxVolume: z.strictObject({ fsType: text, readOnly: flag, volumeID: z.string() }).optional(),
	projected: z
		.strictObject({ defaultMode: z.int32().optional(), sources: z.array(projectedSource).optional() })
		.optional(),
	quobyte: z
		.strictObject({
			group: text,
			readOnly: flag,
			registry: z.string(),
			tenant: text,
			user: text,
			volume: z.string(),
		})
		.optional(),
	rbd: z
		.strictObject({
			fsType: text,
			image: z.string(),
			keyring: z.string().default("/etc/ceph/keyring"),
			monitors: z.array(z.string()),
			pool: z.string().default("rbd"),
			readOnly: flag,
			secretRef: secretName.optional(),
			user: z.string().default("admin"),
		})
		.optional(),
	scaleIO: z
		.strictObject({
			fsType: z.string().default("xfs"),
			gateway: z.string(),
			protectionDomain: text,
			readOnly: flag,
			secretRef: secretName,
			sslEnabled: flag,
			storageMode: z.string().default("ThinProvisioned"),
			storagePool: text,
			system: z.string(),
			volumeName: text,
		})
		.optional(),
	secret: z
		.strictObject({
			defaultMode: z.int32().optional(),
			items: z.array(keyToPath).optional(),
			optional: flag,
			secretName: text,
		})
		.optional(),
	storageos: z
		.strictObject({
			fsType: text,
			readOnly: flag,
			secretRef: secretName.optional(),
			volumeName: text,
			volumeNamespace: text,
		})
		.optional(),
	vsphereVolume: z
		.strictObject({ fsType: text, storagePolicyID: text, storagePolicyName: text, volumePath: z.string() })
		.optional(),
});
