package org.hourstone.query.plan;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.index.NameTest;
import org.hourstone.kv.Bytes;
import org.hourstone.series.MemoryLease;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * A filter that must be tested by name: once for each value of its tag, regardless of how many
 * series have it. Thread-safe.
 */
final class NameFilter implements NameTest {
  /** About how much memory it takes to know whether a value passes. */
  private static final int VALUE_BYTES = 120;

  private final byte[] tagk;
  private final String text;
  private final boolean passesAbsent;
  private final Predicate<String> match;
  private final UidTable uids;
  private final MemoryLease memory;
  private final Runnable check;
  private final Map<Bytes, Boolean> known = new ConcurrentHashMap<>();

  /**
   * @param text identifies the match
   * @param passesAbsent whether series without the tag pass
   * @param memory of the request
   * @param check is called once in a while; what it throws ends the query
   */
  NameFilter(
      byte[] tagk,
      String text,
      boolean passesAbsent,
      Predicate<String> match,
      UidTable uids,
      MemoryLease memory,
      Runnable check) {
    this.tagk = tagk;
    this.text = text;
    this.passesAbsent = passesAbsent;
    this.match = match;
    this.uids = uids;
    this.memory = memory;
    this.check = check;
  }

  byte[] tagk() {
    return tagk;
  }

  boolean passesAbsent() {
    return passesAbsent;
  }

  /** Whether the series passes. */
  boolean passes(RowKey keys, byte[] tsuid) {
    byte[] tagv = keys.tagvOfTsuid(tsuid, tagk);
    return tagv == null ? passesAbsent : passesValue(tagv);
  }

  @Override
  public String text() {
    return text;
  }

  /** A value without a name passes, since the series that have it may have been removed. */
  @Override
  public BitSet passing(List<byte[]> tagvs) {
    check.run();
    BitSet passing = new BitSet(tagvs.size());
    List<Optional<String>> names = uids.names(UidKind.TAGV, tagvs);
    for (int i = 0; i < names.size(); i++) {
      passing.set(i, names.get(i).map(match::test).orElse(true));
    }
    return passing;
  }

  @Override
  public BooleanSupplier validity() {
    long changes = uids.changes();
    long until = uids.keptUntil();
    UidTable names = uids; // what is kept must not hold this filter, and its query
    return () -> names.isCurrent(changes, until);
  }

  /**
   * Whether series with this value of the tag pass.
   *
   * @throws org.hourstone.uid.NoSuchUidException if the value has no name
   * @throws org.hourstone.query.QueryLimitException if the values of all series take too much
   *     memory
   */
  boolean passesValue(byte[] tagv) {
    Bytes key = new Bytes(tagv);
    Boolean passes = known.get(key);
    if (passes == null) {
      check.run();
      passes = match.test(uids.name(UidKind.TAGV, tagv));
      memory.grow(VALUE_BYTES);
      known.put(key, passes);
    }
    return passes;
  }
}
