"use strict";
// The points of a large picture: the pointer moves a slider, which carries the keyboard and the
// screen reader. The numbers are those of the picture's table.
for (const figure of document.querySelectorAll(".large:has(.reader)")) {
  const rows = [...figure.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent));
  const heads = [...figure.querySelectorAll("thead th")].map((head) => head.textContent);
  const reader = figure.querySelector(".reader"), slider = reader.querySelector("input");
  const fields = [...reader.querySelectorAll("dd")];
  const drawings = [...figure.querySelectorAll("[data-points]")].map((svg) => {
    const places = svg.dataset.points.split(" ").map((both) => both.split(",").map(Number));
    return { svg, places, marker: svg.querySelector(".marker"), guide: svg.querySelector(".guide") };
  });

  function show(place) {
    slider.value = place;
    fields.forEach((field, i) => { field.textContent = rows[place][i]; });
    slider.setAttribute("aria-valuetext", heads.map((head, i) => `${head} ${rows[place][i]}`).join(", "));
    for (const { svg, places, marker, guide } of drawings) {
      const [x, y] = places[place], [left, bottom] = svg.dataset.corner.split(" ");
      marker.setAttribute("cx", x);
      marker.setAttribute("cy", y);
      marker.removeAttribute("hidden");
      guide.setAttribute("d", `M${left} ${y}H${x}V${bottom}`);
    }
  }

  slider.addEventListener("input", () => show(slider.valueAsNumber));
  for (const { svg, places } of drawings) {
    const drag = (event) => {
      const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      const away = places.map(([across]) => Math.abs(across - x));
      show(away.indexOf(Math.min(...away)));
    };
    svg.classList.add("draggable");
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      drag(event);
    });
    svg.addEventListener("pointermove", (event) => event.buttons && drag(event));
    svg.addEventListener("click", () => slider.focus({ preventScroll: true }));
  }
  reader.hidden = false;
  show(slider.valueAsNumber);
}
