import test from "ava";
import { containersConf, storageConf } from "../../../lab/podman.ts";

const limits = (
	files: string,
	processes: string,
) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             ${processes}                ${processes}                processes
Max open files            1024                 ${files}                files
`;

test("containers get no limit above this machine's own", (t) => {
	t.regex(containersConf(limits("20000", "96365")), /"nofile=20000:20000", "nproc=32768:32768"/);
	t.regex(containersConf(limits("unlimited", "5000")), /"nofile=1048576:1048576", "nproc=5000:5000"/);
});

test("image stores are listed as TOML strings", (t) => {
	t.regex(storageConf(["/a", "/b"]), /^additionalimagestores = \["\/a", "\/b"\]$/m);
	t.regex(storageConf([]), /^additionalimagestores = \[\]$/m);
});
