// The interval of automatic downsampling: a point for every few pixels, of a length that people use.

import { duration } from './times.js';

const STEPS = ['1s', '2s', '5s', '10s', '15s', '30s', '1m', '2m', '5m', '10m', '15m', '30m',
  '1h', '2h', '3h', '6h', '12h', '1d', '2d', '7d', '30d', '90d', '365d'];
const PIXELS_PER_POINT = 2;

/** The interval for a range of time, in milliseconds, that is drawn with a width in pixels. */
export function autoInterval(range, pixels) {
  const least = range / Math.max(1, pixels / PIXELS_PER_POINT);
  return STEPS.find((step) => duration(step) >= least) ?? STEPS[STEPS.length - 1];
}
