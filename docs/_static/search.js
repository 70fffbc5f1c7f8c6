/* Search by any of the words, the rarest first. Sphinx's own needs all of them, and lists equals by name. */
"use strict";

/* The score of each page, by its number in the index. */
const ranked = (index, terms, stem) => {
  const pages = index.docnames.length;
  const scores = new Map();
  const listed = (files) => (files === undefined ? [] : [].concat(files));
  const keywords = new Map(); // stem -> the pages that ask to be found by it
  for (const [entry, places] of Object.entries(index.indexentries)) {
    for (const word of entry.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean)) {
      const known = keywords.get(stem(word)) || new Set();
      places.forEach(([file, , isMain]) => isMain && known.add(file));
      keywords.set(stem(word), known);
    }
  }
  for (const term of terms) {
    const [text, titles] = [listed(index.terms[term]), listed(index.titleterms[term])];
    const named = [...(keywords.get(term) || [])];
    const found = new Set([...text, ...titles, ...named]);
    const rare = Math.log((pages + 1) / (found.size + 1)) + 0.1;
    for (const file of found) {
      const weight = 4 * (1 + 1.5 * titles.includes(file) + 4 * named.includes(file));
      scores.set(file, (scores.get(file) || 0) + rare * weight);
    }
  }
  for (const [file, score] of scores) {
    const written = /^(reference|checks)\//.test(index.docnames[file]); // from the code itself
    scores.set(file, written ? score / 2 : score);
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
