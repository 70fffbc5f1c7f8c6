// `rs.audit` in the browser, in the same words; a test holds every sentence against the library's.
"use strict";

const LEVEL = 0.95;
const Z = 1.959963984540054;
const MOST_STEPS = 4e8; // of the count of labelings: about a second

// A printed decimal as every value that rounds to it: [low, high] over `unit`.
function printed(text) {
  const match = /^\s*([+-]?)(\d*)\.?(\d*)\s*$/.exec(text);
  if (!match || match[2] + match[3] === "") throw new Error(`not a number: ${text}`);
  const decimals = match[3].length;
  const value = BigInt(match[1] + (match[2] + match[3] || "0"));
  const unit = 2n * 10n ** BigInt(decimals);
  return { text: text.trim(), low: 2n * value - 1n, high: 2n * value + 1n, unit, decimals };
}

// The same for an AUC, which lies in [0, 1].
function printedAuc(text) {
  const read = printed(text);
  const middle = (read.low + read.high) / 2n;
  if (middle < 0n || middle > read.unit) throw new Error(`an AUC lies in [0, 1]: ${text}`);
  if (read.low < 0n) read.low = 0n;
  if (read.high > read.unit) read.high = read.unit;
  return read;
}

const share = (part, unit) => Number(part) / Number(unit);
const ends = (read) => [share(read.low, read.unit), share(read.high, read.unit)];

// Twice the number of pairs won: the least and the most that are printed so.
function wins(read, pairs) {
  const whole = 2n * BigInt(pairs);
  const least = (whole * read.low + read.unit - 1n) / read.unit;
  return [Number(least), Number((whole * read.high) / read.unit)];
}

function value(read, m, n) {
  const [first, last] = wins(read, m * n);
  const pairs = `${m} positives and ${n} negatives (${m * n} pairs)`;
  if (first > last) return `An AUC of ${read.text} is not possible with ${pairs}.`;
  if (first === last && first % 2) return `An AUC of ${read.text} needs a tie with ${pairs}.`;
  return `An AUC of ${read.text} is possible with ${pairs}.`;
}

function nearest(read, m, n) {
  const pairs = m * n;
  const below = Number((2n * BigInt(pairs) * read.low) / read.unit);
  const written = [below, below + 1].map((win) => {
    const number = (win / (2 * pairs)).toFixed(read.decimals || 4);
    return win % 2 ? `${win}/${2 * pairs} = ${number} (with a tie)` : `${win / 2}/${pairs} = ${number}`;
  });
  return `Possible values next to it: ${written.join(" and ")}.`;
}

// The limits of DeLong's standard error (`std_error_limits` in the library has the reasons).
function errorLimits(auc, m, n) {
  const part = Math.min(auc, 1 - auc);
  const [b, a] = [1 / (m - 1), 1 / (n - 1)].sort((x, y) => x - y);
  const least = 2 * a * part <= b
    ? (4 / 3) * part * Math.sqrt(2 * a * b * part) - part ** 2 * (a + b)
    : b * part * (1 - part) - b ** 2 / (12 * a);
  return [Math.sqrt(Math.max(least, 0)), Math.sqrt(a * part * (1 - part))];
}

function errors(read, m, n) {
  const [near, far] = ends(read).sort((x, y) => Math.abs(x - 0.5) - Math.abs(y - 0.5));
  const [low, high] = ends(read);
  const middle = low <= 0.5 && 0.5 <= high ? 0.5 : near;
  return [errorLimits(far, m, n)[0], errorLimits(middle, m, n)[1]];
}

// Where an increasing function reaches 0 between two ends.
function root(f, low, high) {
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (f(middle) < 0) low = middle; else high = middle;
  }
  return (low + high) / 2;
}

// Newcombe's method 5.
function newcombe(auc, m, n) {
  const half = (m + n) / 2 - 1;
  const room = (t) => (Z ** 2 * t * (1 - t) * (1 + half * ((1 - t) / (2 - t) + t / (1 + t)))) / (m * n);
  const up = (a) => (a === 1 ? 1 : root((t) => (t - a) ** 2 - room(t), a + 1e-15, 1));
  const down = (a) => (a === 0 ? 0 : root((t) => room(t) - (a - t) ** 2, 0, a - 1e-15));
  return [down(auc), up(auc)];
}

// The hinge bound: the largest a with min over j of E(B−j)₊/(kx−j) at most `part`, B ~ Bin(k, a).
function hingeLow(x, k, part) {
  if (x === 0) return 0;
  const logs = new Float64Array(k + 1);
  for (let i = 1; i <= k; i++) logs[i] = logs[i - 1] + Math.log((k - i + 1) / i);
  const chance = (a) => {
    let tail = 0, excess = 0, least = Infinity;
    for (let j = k - 1; j >= 0; j--) {
      tail += Math.exp(logs[j + 1] + (j + 1) * Math.log(a) + (k - j - 1) * Math.log1p(-a));
      excess += tail; // E(B−j)₊
      if (j < k * x) least = Math.min(least, excess / (k * x - j));
    }
    return least - part;
  };
  return root(chance, 0, x);
}

// log₂ of the number of labelings of untied rows that are printed so, or null if that takes long.
function fitting(read, m, n) {
  const [first, last] = wins(read, m * n);
  if ((m + n) * m * m * n > MOST_STEPS || m + n > 1000) return null;
  const ways = Array.from({ length: m + 1 }, () => new Float64Array(m * n + 1));
  ways[0][0] = 1;
  for (let row = 1; row <= m + n; row++) {
    for (let i = Math.min(m, row); i >= Math.max(1, row - n); i--) {
      const below = row - i; // negatives, if this row is the i-th positive from below
      for (let won = i * below; won >= below; won--) ways[i][won] += ways[i - 1][won - below];
    }
  }
  let total = 0;
  for (let won = Math.ceil(first / 2); won <= Math.floor(last / 2); won++) total += ways[m][won];
  return Math.log2(total);
}

function bits(m, n) {
  let found = 0;
  for (let i = 1; i <= m; i++) found += Math.log2((n + i) / i);
  return found;
}

function interval(lowText, highText, read, m, n) {
  const low = printed(lowText), high = printed(highText);
  const [aucLow, aucHigh] = ends(read), [lowLeast, lowMost] = ends(low), [highLeast, highMost] = ends(high);
  if (lowLeast > highMost) throw new Error("the lower limit comes first");
  if (lowLeast > aucHigh || highMost < aucLow) return "The interval does not contain the AUC.";
  if (lowMost < 0 || highLeast > 1) return "The interval leaves the range of an AUC, 0 to 1.";
  const [least, most] = errors(read, m, n).map((error) => Z * error);
  if ((highLeast - lowMost) / 2 > most) {
    return `The interval is wider than any of DeLong's for these sizes (half-width at most ${most.toFixed(4)}).`;
  }
  if ((highMost - lowLeast) / 2 < least && lowLeast > 0 && highMost < 1) {
    return `The interval is narrower than any of DeLong's without ties (half-width at least ${least.toFixed(4)}).`;
  }
  const a = (aucLow + aucHigh) / 2;
  const parts = 1 + ((m - 1) * (1 - a)) / (2 - a) + ((n - 1) * a) / (1 + a);
  const usual = Z * Math.sqrt((a * (1 - a) * parts) / (m * n));
  return `DeLong's interval can have this width for these sizes; the half-width of Hanley and McNeil's is ${usual.toFixed(4)}.`;
}

// Twice the upper tail of the normal distribution, by Simpson's rule: four digits are shown.
function twoSided(x) {
  if (x > 12) return 0;
  const steps = 2000, width = x / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i++) {
    sum += (i === 0 || i === steps ? 1 : i % 2 ? 4 : 2) * Math.exp(-((i * width) ** 2) / 2);
  }
  return 1 - (2 * sum * width) / 3 / Math.sqrt(2 * Math.PI);
}

function pValue(text, read, other, m, n) {
  const [low, high] = ends(read), [otherLow, otherHigh] = ends(other);
  const apart = Math.max(low - otherHigh, otherLow - high, 0);
  const error = errors(read, m, n)[1] + errors(other, m, n)[1];
  const most = error ? twoSided(apart / error) : Number(apart === 0);
  return ends(printed(text))[0] > most
    ? `A p-value of ${text} is larger than any test of DeLong's gives for this difference (at most ${most.toFixed(4)}).`
    : `A p-value of ${text} is possible: DeLong's tests give at most ${most.toFixed(4)} for this difference.`;
}

function audit({ auc, n_pos, n_neg, low = "", high = "", vs = "", p = "" }) {
  const m = Number(n_pos), n = Number(n_neg);
  if (!(Number.isInteger(m) && Number.isInteger(n) && m >= 2 && n >= 2)) {
    throw new Error("each class needs a whole number of at least 2 rows");
  }
  const read = printedAuc(auc), said = [value(read, m, n)];
  if (low && high) said.push(interval(low, high, read, m, n));
  if (vs) said.push(value(printedAuc(vs), m, n));
  if (vs && p) said.push(pValue(p, read, printedAuc(vs), m, n));
  const [first, last] = wins(read, m * n);
  if (first > last) said.push(nearest(read, m, n));
  const [a, b] = ends(read), k = Math.min(m, n), part = (1 - LEVEL) / 2;
  const supported = {
    "Newcombe's method 5 (calibrated)": [newcombe(a, m, n)[0], newcombe(b, m, n)[1]],
    "the hinge bound (certified)": [hingeLow(a, k, part), 1 - hingeLow(1 - b, k, part)],
  };
  for (const [name, [from, to]] of Object.entries(supported)) {
    said.push(`From the AUC and the class sizes, ${name} gives [${from.toFixed(4)}, ${to.toFixed(4)}] at 95 %.`);
  }
  const [least, most] = errors(read, m, n).map((error) => (Z * error).toFixed(4));
  said.push(`The half-width of DeLong's 95 % interval lies between ${least} (0 with ties) and ${most}, whatever the scores are.`);
  if (first <= last && (first < last || first % 2 === 0)) {
    const left = fitting(read, m, n), before = bits(m, n);
    said.push(left === null
      ? "What it gives away takes long to count here: install rocsolid."
      : `Whoever has the scores, without ties, and the class sizes learns ${(before - left).toFixed(2)} of the ${before.toFixed(2)} bits in the labels.`);
  }
  return said;
}

const form = document.getElementById("audit");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const answer = document.getElementById("audit-answer");
  let said;
  try {
    said = audit(Object.fromEntries(new FormData(form)));
  } catch (error) {
    said = [error.message];
  }
  answer.replaceChildren(...said.map((text) => {
    const line = document.createElement("p");
    line.textContent = text;
    return line;
  }));
});
form.requestSubmit();
