package org.hourstone.kv.hbase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/** Translates reads to HBase's requests, and HBase's results to rows. */
final class Requests {
  /**
   * The number of bytes of rows that a server sends at a time. The client fetches ahead up to twice
   * this number per scan, so a query over 20 salt buckets buffers at most 40 MB.
   */
  private static final long MAX_FETCH_BYTES = 1 << 20;

  private static final org.apache.hadoop.hbase.client.Scan RAW =
      new org.apache.hadoop.hbase.client.Scan().setRaw(true);

  private Requests() {}

  static Get get(Family family, Reads.Question question) {
    byte[] name = Names.bytes(family);
    Get get = new Get(question.key());
    if (question.columns() instanceof Columns.Exact exact) {
      exact.qualifiers().forEach(qualifier -> get.addColumn(name, qualifier));
    } else {
      get.addFamily(name);
      Filter filter = columnFilter(question.columns());
      if (filter != null) {
        get.setFilter(filter);
      }
    }
    if (question.from() > 0) {
      try {
        get.setTimeRange(question.from(), Long.MAX_VALUE);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // thrown if a range ends before it begins; it doesn't
      }
    }
    return get;
  }

  /** A request for all versions of cells and the deletion markers. */
  static Get history(Family family, Reads.Question question) {
    Get get = new Get(question.key()).addFamily(Names.bytes(family)).readAllVersions();
    get.setFilter(ReplaceCondition.anyOf(RowHistory.qualifiers(question)));
    // A get has no setter for this, but the server converts it to a scan with all its attributes.
    RAW.getAttributesMap().forEach(get::setAttribute);
    return get;
  }

  /**
   * @param after the key after which the scan continues; null for its start
   * @param limit the number of rows it may still return
   */
  static org.apache.hadoop.hbase.client.Scan scan(
      Family family, Scan scan, byte @Nullable [] after, long limit) {
    byte[] name = Names.bytes(family);
    byte[] start = after == null ? scan.start() : after;
    org.apache.hadoop.hbase.client.Scan request =
        new org.apache.hadoop.hbase.client.Scan()
            .withStartRow(possible(start), after == null && isPossible(start))
            .setCaching((int) Math.min(rowsPerFetch(scan), limit))
            .setMaxResultSize(MAX_FETCH_BYTES)
            .setScanMetricsEnabled(true)
            .setAllowPartialResults(false);
    byte[] stop = scan.stop();
    if (stop != null) {
      request.withStopRow(possible(stop), !isPossible(stop));
    }
    if (scan.columns() instanceof Columns.Exact exact) {
      exact.qualifiers().forEach(qualifier -> request.addColumn(name, qualifier));
    } else {
      request.addFamily(name);
    }
    Filter filter = both(RowFilters.of(scan.filter()), columnFilter(scan.columns()));
    if (filter != null) {
      request.setFilter(filter);
    }
    if (scan.writtenSince() > 0) {
      try {
        // A server skips the files whose cells are all earlier.
        request.setTimeRange(scan.writtenSince(), Long.MAX_VALUE);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // as above
      }
    }
    if (scan.filter() == RowFilter.any() && limit <= Integer.MAX_VALUE) {
      request.setLimit((int) limit);
    }
    return request;
  }

  /**
   * Whether HBase accepts a bound, which must not be longer than a row key can be. A range up to a
   * longer bound ends at the bound's first bytes.
   */
  private static boolean isPossible(byte[] bound) {
    return bound.length <= HConstants.MAX_ROW_LENGTH;
  }

  private static byte[] possible(byte[] bound) {
    return Arrays.copyOf(bound, Math.min(bound.length, HConstants.MAX_ROW_LENGTH));
  }

  /** As many rows as fit in the bytes, unless the scan sets fewer than the default. */
  private static int rowsPerFetch(Scan scan) {
    return scan.rowsPerFetch() < Scan.DEFAULT_ROWS_PER_FETCH
        ? scan.rowsPerFetch()
        : Integer.MAX_VALUE;
  }

  /** Whether a scan can have no rows; HBase would interpret an empty stop as no stop. */
  static boolean isEmpty(Scan scan) {
    byte[] stop = scan.stop();
    return (stop != null && Arrays.equals(scan.start(), stop)) || isEmpty(scan.columns());
  }

  /** Whether these columns include no qualifier. */
  static boolean isEmpty(Columns columns) {
    return columns instanceof Columns.Range range
        && range.stop() != null
        && Arrays.compareUnsigned(range.start(), range.stop()) >= 0;
  }

  /** The row of a result, with copies of its cells. */
  static Row row(byte[] key, Result result) {
    if (result.isEmpty()) {
      return Row.empty(key);
    }
    org.apache.hadoop.hbase.Cell[] cells = result.rawCells();
    byte[][] qualifiers = new byte[cells.length][];
    byte[][] values = new byte[cells.length][];
    long[] times = new long[cells.length];
    for (int i = 0; i < cells.length; i++) {
      qualifiers[i] = CellUtil.cloneQualifier(cells[i]);
      values[i] = CellUtil.cloneValue(cells[i]);
      times[i] = cells[i].getTimestamp();
    }
    return Row.of(key, qualifiers, values, times);
  }

  private static @Nullable Filter columnFilter(Columns columns) {
    return columns instanceof Columns.Range range
        ? new ColumnRangeFilter(
            range.start().clone(), true, range.stop() == null ? null : range.stop().clone(), false)
        : null;
  }

  private static @Nullable Filter both(@Nullable Filter rows, @Nullable Filter columns) {
    if (rows == null || columns == null) {
      return rows == null ? columns : rows;
    }
    return new FilterList(FilterList.Operator.MUST_PASS_ALL, rows, columns);
  }
}
