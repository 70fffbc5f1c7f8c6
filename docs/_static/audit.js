// `rs.audit` in the browser, in the same words; a test holds every sentence against the library's.
"use strict";

const LEVEL = 0.95;
const Z = 1.959963984540054;
const FULL = 15;
const LARGEST = 2e5; // of the smaller class: about a second
const MOST_STEPS = 4e8; // of the count of labelings: about a second

// A printed decimal as every value that may be printed so: [low, high] over `unit`, rounded or cut off.
function printed(text, digits = "rounded") {
  const match = /^\s*([+-]?)(\d*)\.?(\d*)\s*$/.exec(text);
  if (!match || match[2] + match[3] === "") throw new Error(`not a number: ${text}`);
  const decimals = match[3].length;
  const value = 2n * BigInt(match[1] + (match[2] + match[3] || "0"));
  const unit = 2n * 10n ** BigInt(decimals);
  const full = decimals >= FULL; // a program wrote all digits: its last ones may be off
  const slack = full ? BigInt(Math.ceil(4.5e-16 * Number(unit))) : 1n;
  const cut = digits === "cut" && !full;
  const low = value - (cut ? (value <= 0n ? 2n : 0n) : slack);
  const high = value + (cut ? (value >= 0n ? 2n : 0n) : slack);
  return { text: text.trim(), value, low, high, unit, decimals, open: cut ? 1n : 0n };
}

const share = (part, unit) => Number(part) / Number(unit);
const ends = (read) => [share(read.low, read.unit), share(read.high, read.unit)];

// As Python writes it: an exact half goes to the even digit.
function fixed(number, decimals) {
  const exact = number.toFixed(100), kept = exact.slice(0, exact.length - 100 + decimals);
  const half = /^50*$/.test(exact.slice(kept.length)) && decimals > 0;
  return half && "02468".includes(kept.at(-1)) ? kept : number.toFixed(decimals);
}

// The AUCs that are printed so, as twice the number of pairs won: the least and the most.
function printedAuc(text, m, n, readings = ["rounded", "cut"]) {
  const pairs = BigInt(m) * BigInt(n), rounded = printed(text);
  if (rounded.value < 0n || rounded.value > rounded.unit) throw new Error(`an AUC lies in [0, 1]: ${text}`);
  for (const digits of readings) {
    const { low, high, unit, open } = printed(text, digits);
    const first = low <= 0n ? 0n : (2n * pairs * low + unit - 1n) / unit;
    const end = (2n * pairs * high - open) / unit; // a cut number lies below its upper end
    const last = end > 2n * pairs ? 2n * pairs : end;
    if (first <= last) {
      const range = [share(first, 2n * pairs), share(last, 2n * pairs)];
      return { rounded, pairs, m, n, digits, first, last, ends: range };
    }
  }
  const [low, high] = ends(rounded);
  return { rounded, pairs, m, n, digits: null, first: 1n, last: 0n, ends: [Math.max(low, 0), Math.min(high, 1)] };
}

function fraction({ pairs }, win, decimals) {
  const number = fixed(share(win, 2n * pairs), decimals);
  return win % 2n ? `${win}/${2n * pairs} = ${number} (with a tie)` : `${win / 2n}/${pairs} = ${number}`;
}

const places = ({ rounded }) => Math.max(4, (rounded.decimals || 4) + 1);

// What rounding it takes to be printed so.
function half(auc, win) {
  const { low, high, unit } = auc.rounded;
  if (auc.digits === "cut") return "";
  if (win * unit === high * 2n * auc.pairs) return " (a half, rounded down)";
  return win * unit === low * 2n * auc.pairs ? " (a half, rounded up)" : "";
}

const untied = ({ first, last }) => [first + (first % 2n), last - (last % 2n)];

function value(auc) {
  const { rounded, m, n, pairs, digits, first, last } = auc, [from, to] = untied(auc);
  const [positives, negatives, all] = [m, n, pairs].map((count) => count.toLocaleString("en-US"));
  const sizes = `${positives} positives and ${negatives} negatives (${all} pairs)`;
  if (digits === null) {
    return `An AUC of ${rounded.text} is not possible with ${sizes}, unless it is weighted, smoothed or a mean of several.`;
  }
  let which = [];
  if (last - first >= 3n) {
    which = `one of ${last - first + 1n} fractions, ${[first, last].map((win) => fraction(auc, win, places(auc))).join(" to ")}`;
  } else {
    for (let win = first; win <= last; win++) which.push(fraction(auc, win, places(auc)) + half(auc, win));
    which = which.join(", ");
  }
  const cut = digits === "cut" ? ", if its last digits were truncated and not rounded" : "";
  return `An AUC of ${rounded.text} ${from <= to ? "is possible" : "needs a tie"} with ${sizes}${cut}: ${which}.`;
}

function nearest(auc) {
  const below = (2n * auc.pairs * auc.rounded.low) / auc.rounded.unit;
  const written = [below, below + 1n].map((win) => fraction(auc, win, auc.rounded.decimals || 4));
  return `Possible values next to it: ${written.join(" and ")}.`;
}

// Those without ties.
function rest(auc) {
  const [from, to] = untied(auc), first = fraction(auc, from, places(auc));
  if (from === to) return first;
  return `one of ${(to - from) / 2n + 1n} fractions, ${first} to ${fraction(auc, to, places(auc))}`;
}

// The limits of DeLong's standard error (`std_error_limits` in the library has the reasons): the
// smallest with ties, the smallest without, the largest.
function errorLimits(auc, m, n) {
  const q = Math.min(auc, 1 - auc);
  const [b, a] = [1 / (m - 1), 1 / (n - 1)].sort((x, y) => x - y);
  const line = q * Math.sqrt(2 * a * b * q), shift = q ** 2 * (a + b);
  const squares = 2 * a * q <= b
    ? [line - shift, (4 / 3) * line - shift]
    : [b * q * (0.5 - q), b * q * (1 - q) - b ** 2 / (12 * a)];
  return [...squares, a * q * (1 - q)].map((square) => Math.sqrt(Math.max(square, 0)));
}

// The same over a range of AUCs.
function errors([low, high], m, n) {
  const limits = [low, high, low <= 0.5 && 0.5 <= high ? 0.5 : low].map((auc) => errorLimits(auc, m, n));
  const column = (i) => limits.map((each) => each[i]);
  return [Math.min(...column(0)), Math.min(...column(1)), Math.max(...column(2))];
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
function fitting({ m, n, first, last }) {
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
  for (let won = Math.ceil(Number(first) / 2); won <= Math.floor(Number(last) / 2); won++) total += ways[m][won];
  return Math.log2(total);
}

function bits(m, n) {
  let sum = 0;
  for (let i = 1; i <= m; i++) sum += Math.log2((n + i) / i);
  return sum;
}

const CLOSE = 1e-9, ABOUT = 1e-4, POINTS = 33;
const reached = (fits) => (fits ? "can" : "cannot");

// Whether A ± w is printed so for a w from `least` to `most`, limits cut to 0 and 1 or not.
function symmetric({ auc, low, high }, least, most) {
  least *= 1 - ABOUT;
  most *= 1 + ABOUT;
  const above = [auc[0], high[0] - most], below = [auc[1], low[1] + most];
  if (!(low[0] <= 0 && 0 < low[1])) above.push(low[0] + least, (low[0] + high[0]) / 2);
  if (!(high[0] <= 1 && 1 < high[1])) below.push(high[1] - least, (low[1] + high[1]) / 2);
  return Math.max(...above) <= Math.min(...below) + CLOSE;
}

function delong(read) {
  const [tied, free, most] = errors(read.auc, read.m, read.n).map((error) => Z * error);
  if (symmetric(read, free, most)) return ["fits", "DeLong's method can give it."];
  if (symmetric(read, tied, most)) {
    return ["needs-ties", `DeLong's method can give it if scores are tied across the classes: without such ties its half-width is at least ${fixed(free, 4)}.`];
  }
  return ["impossible", `DeLong's method cannot give it: its limits have equal distances from the AUC, ${fixed(tied, 4)} to ${fixed(most, 4)}, before they are cut to 0 and 1.`];
}

function hanleyMcNeil(read) {
  const { auc: [low, high], m, n } = read;
  const widths = Array.from({ length: POINTS }, (_, i) => {
    const a = low + ((high - low) * i) / (POINTS - 1);
    const parts = 1 + ((m - 1) * (1 - a)) / (2 - a) + ((n - 1) * a) / (1 + a);
    return Z * Math.sqrt((a * (1 - a) * parts) / (m * n));
  });
  const fits = symmetric(read, Math.min(...widths), Math.max(...widths) * 1.001);
  return [fits ? "fits" : "impossible", `Hanley and McNeil's formula, from the AUC alone, ${reached(fits)} give it: its half-width is ${fixed(widths[(POINTS - 1) / 2], 4)}.`];
}

const trials = ({ m, n }) => [m + n, m, n];

function wald(read) {
  const [low, high] = read.auc;
  const [near, far] = [low, high].map((end) => Math.abs(end - 0.5)).sort((x, y) => x - y);
  const middle = low <= 0.5 && 0.5 <= high ? 0 : near;
  const [least, most] = [far, middle].map((distance) => Z * Math.sqrt(0.25 - distance ** 2));
  const fits = trials(read).some((size) => symmetric(read, least / Math.sqrt(size), most / Math.sqrt(size)));
  return [fits ? "fits" : "impossible", `A binomial Wald interval ${reached(fits)} give it.`];
}

// ln Γ (Stirling, after a shift).
function logGamma(x) {
  let shift = 0;
  for (; x < 20; x++) shift += Math.log(x);
  const r = 1 / (x * x);
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + (1 / 12 - r * (1 / 360 - r / 1260)) / x - shift;
}

// The distribution function of Beta(a, b), by its continued fraction.
function betaShare(a, b, x) {
  if (x <= 0 || x >= 1) return Number(x >= 1);
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(b, a, 1 - x);
  const front = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  let c = 1, d = 1 / (1 - ((a + b) * x) / (a + 1)), product = d;
  for (let i = 1; i < 1e5; i++) {
    let term = (i * (b - i) * x) / ((a + 2 * i - 1) * (a + 2 * i));
    d = 1 / (1 + term * d);
    c = 1 + term / c;
    product *= d * c;
    term = (-(a + i) * (a + b + i) * x) / ((a + 2 * i) * (a + 2 * i + 1));
    d = 1 / (1 + term * d);
    c = 1 + term / c;
    product *= d * c;
    if (Math.abs(d * c - 1) < 1e-13) break;
  }
  return (Math.exp(front) * product) / a;
}

// Clopper and Pearson's limits of N·A of N; programs differ in how they round N·A.
function exact(read) {
  const part = (1 - LEVEL) / 2;
  const quantile = (a, b, at) => root((x) => betaShare(a, b, x) - at, 0, 1);
  const lower = (hits, size) => (hits > 0 ? quantile(hits, size - hits + 1, part) : 0);
  const upper = (hits, size) => (hits < size ? quantile(hits + 1, size - hits, 1 - part) : 1);
  const meet = (limits, [from, to]) => from <= limits[1] + CLOSE && to >= limits[0] - CLOSE;
  const fits = trials(read).some((size) => {
    const hits = [Math.max(0, size * read.auc[0] - 0.5), Math.min(size, size * read.auc[1] + 0.5)];
    return meet(read.low, hits.map((each) => lower(each, size))) && meet(read.high, hits.map((each) => upper(each, size)));
  });
  return [fits ? "fits" : "impossible", `A binomial exact interval ${reached(fits)} give it.`];
}

const contains = ({ auc, low, high }) => low[0] <= auc[1] && high[1] >= auc[0];

// The relative entropy of a coin that falls with probability x to one of y.
function entropy(x, y) {
  let sum = 0;
  for (const [p, q] of [[x, y], [1 - x, 1 - y]]) if (p > 0) sum += q > 0 ? p * Math.log(p / q) : Infinity;
  return sum;
}

// Whether neither limit is farther away than any usual method puts it.
function conceivable({ auc, low, high, m, n }) {
  const reach = Math.log(40 / (1 - LEVEL)) / Math.min(m, n), normal = 1.1 * Z * errors(auc, m, n)[2];
  const near = (a, distance) => {
    const below = a - distance, above = a + distance;
    if (distance <= normal) return true;
    if (below >= 0 && Math.min(entropy(below, a), entropy(a, below)) <= reach) return true;
    return above <= 1 && entropy(above, a) <= reach;
  };
  return near(auc[0], Math.max(auc[0] - low[1], 0)) && near(1 - auc[1], Math.max(high[0] - auc[1], 0));
}

// rocsolid's own: never inside a logit interval with the smallest error.
function ownDefault(read) {
  const { auc: [a, b], low, high, m, n } = read;
  const steep = a <= 0.5 && 0.5 <= b ? 0.25 : Math.max(a * (1 - a), b * (1 - b));
  const least = Z * errors(read.auc, m, n)[0] * (1 - ABOUT);
  const moved = (auc, step) => auc / (auc + (1 - auc) * Math.exp(-step));
  const fits = contains(read) && conceivable(read)
    && (steep === 0 || (low[0] <= moved(b, -least / steep) + CLOSE && high[1] >= moved(a, least / steep) - CLOSE))
    && low[1] >= -CLOSE && high[0] <= 1 + CLOSE;
  return [fits ? "fits" : "impossible", `rocsolid's default ${reached(fits)} give it.`];
}

function bootstrap(read) {
  if (!contains(read)) return ["impossible", "A bootstrap cannot give it: it does not contain the AUC."];
  if (!conceivable(read)) return ["impossible", "A bootstrap of independent rows cannot give it: a limit is too far from the AUC."];
  return ["no-statement", "A bootstrap or another method may give it: this is undecidable without the scores."];
}

const METHODS = { delong, "hanley-mcneil": hanleyMcNeil, wald, exact, auto: ownDefault, bootstrap };
const VERDICTS = ["fits", "needs-ties", "no-statement", "impossible"]; // best first

// Each method by the reading of the digits that suits it best.
// An AUC that is impossible as a share of pairs may be every number that is printed so.
function verdicts(lowText, highText, text, m, n, method) {
  const possible = printedAuc(text, m, n).digits !== null;
  const readings = ["rounded", "cut"].flatMap((digits) => {
    const auc = printedAuc(text, m, n, [digits]);
    if (possible && auc.digits === null) return [];
    return [{ auc: auc.ends, low: ends(printed(lowText, digits)), high: ends(printed(highText, digits)), m, n }];
  });
  const names = method ? [method] : Object.keys(METHODS);
  return names.map((name) => readings.map(METHODS[name])
    .reduce((best, next) => (VERDICTS.indexOf(next[0]) < VERDICTS.indexOf(best[0]) ? next : best)));
}

function interval(judged) {
  const best = Math.min(...judged.map(([verdict]) => VERDICTS.indexOf(verdict)));
  return [
    "Some method can give the interval.", "Some method can give the interval.",
    "The interval may be from a bootstrap or another method.",
    `The interval is not possible for independent rows by ${judged.length > 1 ? "any of these methods" : "the named method"}.`,
  ][best];
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

function pValue(text, auc, other) {
  const [low, high] = ends(printed(text));
  if ((low + high) / 2 < 0 || (low + high) / 2 > 1) throw new Error(`a p-value must be between 0 and 1: ${text}`);
  const apart = Math.max(auc.ends[0] - other.ends[1], other.ends[0] - auc.ends[1], 0);
  const error = errors(auc.ends, auc.m, auc.n)[2] + errors(other.ends, auc.m, auc.n)[2];
  const most = fixed(error ? twoSided(apart / error) : Number(apart === 0), 4);
  return low > (error ? twoSided(apart / error) : Number(apart === 0))
    ? `A p-value of ${text} is larger than any two-sided DeLong test gives for this difference (at most ${most}): it is adjusted, one-sided, or from another test.`
    : `A p-value of ${text} is possible: DeLong's tests give at most ${most} for this difference.`;
}

function audit({ auc, n_pos, n_neg, low = "", high = "", method = "", vs = "", p = "" }) {
  const m = Number(n_pos), n = Number(n_neg);
  if (!(Number.isSafeInteger(m) && Number.isSafeInteger(n) && m >= 2 && n >= 2)) {
    throw new Error("each class needs a whole number of at least 2 rows");
  }
  if (Math.min(m, n) > LARGEST) throw new Error("classes this large take long here: install rocsolid");
  const read = printedAuc(auc, m, n), lines = [value(read)];
  if (low && high) {
    const [from, to] = [low, high].map((limit) => printed(limit));
    if (share(from.value, from.unit) > share(to.value, to.unit)) throw new Error("the lower limit comes first");
    const judged = verdicts(low, high, auc, m, n, method);
    const any = read.digits === null ? ` It is judged for every number that is printed ${auc}, possible or not.` : "";
    lines.push(interval(judged) + any, ...judged.map(([, text]) => text));
  }
  const other = vs ? printedAuc(vs, m, n) : null;
  if (other) lines.push(value(other));
  if (other && p) lines.push(pValue(p, read, other));
  if (read.digits === null) return [...lines, nearest(read)];
  const [a, b] = read.ends, k = Math.min(m, n), part = (1 - LEVEL) / 2;
  const supported = {
    "Newcombe's method 5 (calibrated)": [newcombe(a, m, n)[0], newcombe(b, m, n)[1]],
    "the hinge bound (certified)": [hingeLow(a, k, part), 1 - hingeLow(1 - b, k, part)],
  };
  for (const [name, [from, to]] of Object.entries(supported)) {
    lines.push(`From the AUC and the class sizes, ${name} gives [${fixed(from, 4)}, ${fixed(to, 4)}] at 95 %.`);
  }
  const [tied, least, most] = errors(read.ends, m, n).map((error) => fixed(Z * error, 4));
  lines.push(`The half-width of DeLong's 95 % interval is ${least} (${tied} with ties) to ${most}, whatever the scores are.`);
  const [from, to] = untied(read);
  if (read.digits === "rounded" && from <= to) {
    const left = fitting(read), before = left === null ? 0 : bits(m, n);
    lines.push(left === null
      ? "What it gives away takes long to count here: install rocsolid."
      : `Someone with the scores, without ties, and the class sizes learns ${fixed(before - left, 2)} of the ${fixed(before, 2)} bits in the labels: the AUC is ${rest(read)}.`);
  }
  return lines;
}

const form = document.getElementById("audit");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const answer = document.getElementById("audit-answer");
  let lines;
  try {
    lines = audit(Object.fromEntries(new FormData(form)));
  } catch (error) {
    lines = [error.message];
  }
  answer.replaceChildren(...lines.map((text) => {
    const line = document.createElement("p");
    line.textContent = text;
    return line;
  }));
});
form.requestSubmit();
