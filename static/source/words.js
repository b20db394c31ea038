// The words that people see, in their language: the page has them as attributes of templates.

const templates = ["words", "map-words"];

/** Words by their names; a word that the page does not have is empty. */
export const words = new Proxy(
  Object.assign({}, ...templates.map((id) => ({ ...document.getElementById(id)?.dataset }))),
  { get: (all, name) => all[name] ?? "" },
);

/** A sentence with a value in the place of `{}`. */
export function fill(sentence, value) {
  return sentence.replace("{}", value);
}

/** A distance as the reader writes it. */
export function distance(metres) {
  const [value, unit] = metres < 1000 ? [Math.round(metres), "meter"] : [metres / 1000, "kilometer"];
  const digits = value < 10 && unit === "kilometer" ? 1 : 0;
  const language = document.documentElement.lang || undefined;
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: digits }).format(value);
}
