// What scripts add to every page. The page is complete without them.

import { combobox } from "./combobox.js";
import { measureHead } from "./head.js";
import { panes } from "./panes.js";
import { nearMe } from "./position.js";
import { results } from "./results.js";
import { shortcuts } from "./shortcuts.js";
import { completions, places } from "./suggestions.js";
import { say } from "./waiting.js";

const box = document.getElementById("box");
if (box) {
  nearMe(box);
  combobox(box.elements.q, completions, () => box.requestSubmit());
}
const where = document.getElementById("where");
if (where) combobox(where, places, () => {});

// What is said is heard if there was a voice before.
say("");
measureHead();
results();
shortcuts(panes().toggle);
