import test from "ava";
import { cardVendors, vendorsIn } from "../../../src/linux/card-vendors.ts";

/* Lines as the three lists have them. */

const lists = {
	"systemd's":
		"OUI:286FB9*\n ID_OUI_FROM_DATABASE=Nokia Shanghai Bell Co., Ltd.\n\nOUI:001B21*\n ID_OUI_FROM_DATABASE=Intel Corporate\n",
	"IEEE's":
		"28-6F-B9   (hex)\t\tNokia Shanghai Bell Co., Ltd.\r\n286FB9     (base 16)\t\tNokia\n00-1B-21   (hex)\t\tIntel Corporate\r\n",
	"nmap's": "286FB9 Nokia Shanghai Bell Co., Ltd.\n001B21 Intel Corporate\n",
};

for (const [whose, text] of Object.entries(lists))
	test(`makers of network cards are read from ${whose} list`, (t) => {
		const found = vendorsIn(text, ["00:1b:21:00:00:01", "52:54:00:00:00:01"]);
		t.deepEqual([...found], [["00:1b:21:00:00:01", "Intel Corporate"]]);
	});

test("a machine without any list knows no makers", async (t) => {
	t.is((await cardVendors(["00:1b:21:00:00:01"], ["/nonexistent/oui.txt"])).size, 0);
});
