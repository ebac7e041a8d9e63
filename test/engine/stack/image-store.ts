export { imageStore } from "../../../lab/image-store.ts";
