/* Search by any of the words, the rarest first. Sphinx's own needs all of them, and lists equals by name. */
"use strict";

/* The score of each page, by its number in the index. */
const ranked = (index, terms, stem) => {
  const pages = index.docnames.length;
  const scores = new Map();
  const listed = (files) => (files === undefined ? [] : [].concat(files));
  const named = new Map(); // term -> page -> the share of the page's best concept that is searched for
  for (const [entry, places] of Object.entries(index.indexentries)) {
    const words = entry.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean).map(stem);
    const wanted = words.filter((word) => terms.has(word));
    for (const [file, , isMain] of places) {
      for (const term of isMain ? wanted : []) {
        const shares = named.get(term) ?? named.set(term, new Map()).get(term);
        shares.set(file, Math.max(shares.get(file) ?? 0, wanted.length / words.length));
      }
    }
  }
  for (const term of terms) {
    const [text, titles] = [listed(index.terms[term]), listed(index.titleterms[term])];
    const shares = named.get(term) ?? new Map();
    const found = new Set([...text, ...titles, ...shares.keys()]);
    const rare = Math.log((pages + 1) / (found.size + 1)) + 0.1;
    for (const file of found) {
      const weight = 4 * (1 + 1.5 * titles.includes(file) + 6 * (shares.get(file) ?? 0) ** 2);
      scores.set(file, (scores.get(file) || 0) + rare * weight);
    }
  }
  for (const [file, score] of scores) {
    const special = /^(reference|checks|theorems)\//.test(index.docnames[file]); // of second interest
    scores.set(file, special ? score / 2 : score);
  }
  return scores;
};

if (typeof document !== "undefined") {
  const replace = () => {
    if (typeof Search === "undefined") return;
    const stemmer = new Stemmer();
    Search.performTermsSearch = (terms, excluded) => {
      const index = Search._index;
      const scores = ranked(index, terms, (word) => stemmer.stemWord(word));
      const without = (file) =>
        ![...excluded].some((term) => [].concat(index.terms[term] ?? []).includes(file));
      return [...scores]
        .filter(([file]) => without(file))
        .map(([file, score]) => [
          index.docnames[file], index.titles[file], "", null, score, index.filenames[file], "text",
        ]);
    };
  };
  if (typeof Search === "undefined") document.addEventListener("DOMContentLoaded", replace);
  else replace();
} else {
  module.exports = { ranked };
}
