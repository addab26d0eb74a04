/**
 * Measurements: whole runs next to raw RocksDB in the same process, so that the figures are ratios
 * ({@link org.hourstone.bench.ImportBench}, {@link org.hourstone.bench.QueryBench}), and JMH
 * benchmarks of single steps. Times are printed, never asserted. See {@code docs/performance.md}.
 */
@NullMarked
package org.hourstone.bench;

import org.jspecify.annotations.NullMarked;
