/**
 * Measurements: {@link org.hourstone.bench.Commands whole runs} on a {@link
 * org.hourstone.bench.Subject kind of store} next to the raw one in the same run, so that the
 * figures are ratios, and JMH benchmarks of single steps. Times are printed, never asserted. See
 * {@code docs/performance.md}.
 */
@NullMarked
package org.hourstone.bench;

import org.jspecify.annotations.NullMarked;
