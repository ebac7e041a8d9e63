import test from "ava";
import { ownerIsGone, ownerTag } from "../../../lab/owner.ts";

test("a living owner's things are never left-overs", (t) => {
	t.false(ownerIsGone(`${ownerTag()}-0`));
});

test("a process id that another process got meanwhile is not the owner", (t) => {
	const [namespace, pid] = ownerTag().split("-");
	t.true(ownerIsGone(`${namespace}-${pid}-1-0`));
});

test("what was made in another PID namespace is not judged", (t) => {
	t.false(ownerIsGone("1-999999-1-0"));
	t.false(ownerIsGone("somebody-elses-directory"));
});
