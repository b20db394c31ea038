// What the browser remembers from one visit to the next; where it may not, everything is forgotten.

export const memory = {
  get(name) {
    try {
      return localStorage.getItem(name) ?? "";
    } catch {
      return "";
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch {
      // Storage is forbidden: the wish holds as long as the page.
    }
  },
};
