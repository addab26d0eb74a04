// What is shown, as files: the points as CSV that `hourstone import --csv` reads, the plot as a picture.

import { element } from './dom.js';

function save(blob, name) {
  const link = element('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function field(text) {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The lines of a file with the points of series. */
export function csv(series) {
  const lines = ['metric,timestamp,value,tags'];
  for (const { metric, tags, times, values } of series) {
    const name = field(metric);
    const words = field(tags.replaceAll(', ', ' '));
    values.forEach((value, i) => {
      if (value !== null) lines.push(`${name},${new Date(times[i]).toISOString()},${value},${words}`);
    });
  }
  return `${lines.join('\n')}\n`;
}

export function saveCsv(series) {
  save(new Blob([csv(series)], { type: 'text/csv' }), 'hourstone.csv');
}

/** Saves a canvas on the background of the page. */
export function savePicture(canvas) {
  const copy = element('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d');
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--card').trim();
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  copy.toBlob((blob) => save(blob, 'hourstone.png'));
}
