import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Path of a file of the lab that is not code, e.g. `ramdisk/init`. The compiled lab lies in dist/, two levels down. */
export const labFile = (name: string): string => fileURLToPath(new URL(`../../lab/${name}`, import.meta.url));

/** Its text, for a cache key. */
export const labText = (name: string): string => readFileSync(labFile(name), "utf8");
