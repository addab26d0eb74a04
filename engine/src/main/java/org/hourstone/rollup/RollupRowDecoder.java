package org.hourstone.rollup;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;

/**
 * Decodes the cells of a row of a rollup table to the values of one aggregation; cells of other
 * aggregations are skipped. Averages are read as sums and counts by two decoders. Not thread-safe:
 * its buffers are reused from row to row.
 *
 * <p>Values may arrive in any order, because qualifiers with the aggregation's name sort after
 * qualifiers with its id.
 */
public final class RollupRowDecoder {
  private final int aggregationId;
  private final byte[] name;
  private final DuplicatePolicy duplicates;
  private final RollupPoints gathered = new RollupPoints();

  /**
   * @param aggregator the aggregation to read, such as {@code sum}
   * @throws org.hourstone.error.RequestException if it has no id
   */
  public RollupRowDecoder(RollupConfig config, String aggregator, DuplicatePolicy duplicates) {
    this.aggregationId = config.idOf(aggregator);
    this.name = (aggregator.toLowerCase(Locale.ROOT) + ':').getBytes(StandardCharsets.ISO_8859_1);
    this.duplicates = duplicates;
  }

  /** Begins a row. */
  public void start() {
    gathered.clear();
  }

  /**
   * Adds the row's next cell.
   *
   * @param writeTime milliseconds since the epoch
   * @throws CorruptDataException if the cell is of this aggregation, but its value does not match
   *     its qualifier
   */
  public void add(byte[] qualifier, byte[] value, long writeTime) {
    if (!RollupQualifier.isOf(qualifier, aggregationId, name)) {
      return;
    }
    int flags = RollupQualifier.flags(qualifier);
    if (value.length != Qualifier.valueLength(flags)) {
      throw new CorruptDataException(
          "Corrupted rollup value: "
              + value.length
              + " bytes where the qualifier announces "
              + Qualifier.valueLength(flags));
    }
    long raw = Value.decode(flags, value, 0);
    gathered.add(RollupQualifier.index(qualifier), flags, raw, writeTime);
  }

  /** The aggregation's id, which the qualifiers of its cells begin with. */
  public int aggregationId() {
    return aggregationId;
  }

  /**
   * Adds values of this aggregation, as {@link org.hourstone.codec.coded.CodedRollups#read} has
   * them.
   *
   * @param newest what their ages are before, in milliseconds since the epoch
   * @throws IllegalArgumentException if one is older than that
   */
  public void addAll(RowPoints column, long[] ages, long newest) {
    gathered.addAll(column, ages, newest);
  }

  /** Whether no interval has several values so far. */
  public boolean isDistinct() {
    return gathered.sort();
  }

  /**
   * Ends the row.
   *
   * @param into receives its values
   * @throws CorruptDataException if the policy is to fail and two values of one interval differ
   */
  public void finish(RollupPoints into) {
    into.setResolved(gathered, duplicates);
  }
}
