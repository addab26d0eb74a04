package org.hourstone.index;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.hourstone.internal.Glob;
import org.hourstone.kv.Bytes;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * Whether a tag value matches a pattern with stars, ignoring case; each value is tested once.
 * Thread-safe.
 */
final class ValueTest implements NameTest {
  private final String pattern;
  private final Predicate<String> match;
  private final UidTable uids;
  private final Map<Bytes, Boolean> known = new ConcurrentHashMap<>();

  ValueTest(String pattern, UidTable uids) {
    this.pattern = pattern;
    this.uids = uids;
    Predicate<String> glob = Glob.of(lower(pattern));
    this.match = name -> glob.test(lower(name));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** Whether a value passes; one without a name does not. */
  boolean passes(byte[] tagv) {
    return known.computeIfAbsent(new Bytes(tagv), value -> passing(List.of(tagv)).get(0));
  }

  @Override
  public String text() {
    return "lookup " + pattern;
  }

  @Override
  public BitSet passing(List<byte[]> tagvs) {
    BitSet passing = new BitSet(tagvs.size());
    List<Optional<String>> names = uids.names(UidKind.TAGV, tagvs);
    for (int i = 0; i < names.size(); i++) {
      passing.set(i, names.get(i).map(match::test).orElse(false));
    }
    return passing;
  }

  @Override
  public BooleanSupplier validity() {
    long changes = uids.changes();
    long until = uids.keptUntil();
    UidTable names = uids; // what is kept must not hold this test
    return () -> names.isCurrent(changes, until);
  }
}
