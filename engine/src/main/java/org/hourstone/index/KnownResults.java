package org.hourstone.index;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The results of the most recently used tests of tag values. A value is tested only once as long as
 * no name changes. Values are identified by their index in a {@link TagColumn}. Thread-safe; tests
 * are called without holding the monitor.
 */
final class KnownResults {
  /** The maximum number of tests whose results are cached. */
  private static final int MOST = 16;

  /** The maximum number of values passed to a test in one call. */
  private static final int AT_ONCE = 1000;

  /** The approximate memory of a key without its text, and of the sets. */
  private static final int OWN_BYTES = 300;

  private record Key(long tagk, String test) {}

  private static final class Results {
    final BitSet tested = new BitSet();
    final BitSet passed = new BitSet();
    final BooleanSupplier valid;

    Results(BooleanSupplier valid) {
      this.valid = valid;
    }
  }

  /** In access order: the most recently used is last. */
  private final Map<Key, Results> results = new LinkedHashMap<>(16, 0.75f, true);

  /** The values by their index. */
  interface Values {
    byte[] at(int place);
  }

  /** The wanted values that pass. */
  BitSet passing(long tagk, NameTest test, BitSet wanted, Values values) {
    Key key = new Key(tagk, test.text());
    Results known;
    BitSet unknown = (BitSet) wanted.clone();
    synchronized (this) {
      known = valid(key, test);
      unknown.andNot(known.tested);
    }
    List<byte[]> tagvs = new ArrayList<>();
    BitSet places = new BitSet();
    for (int place = unknown.nextSetBit(0); place >= 0; place = unknown.nextSetBit(place + 1)) {
      tagvs.add(values.at(place));
      places.set(place);
      if (tagvs.size() == AT_ONCE) {
        keep(known, places, test.passing(tagvs));
        tagvs.clear();
        places.clear();
      }
    }
    if (!tagvs.isEmpty()) {
      keep(known, places, test.passing(tagvs));
    }
    synchronized (this) {
      BitSet passing = (BitSet) wanted.clone();
      passing.and(known.passed);
      return passing;
    }
  }

  private Results valid(Key key, NameTest test) {
    Results known = results.get(key);
    if (known != null && known.valid.getAsBoolean()) {
      return known;
    }
    Results fresh = new Results(test.validity());
    results.put(key, fresh);
    if (results.size() > MOST) {
      results.remove(results.keySet().iterator().next());
    }
    return fresh;
  }

  private synchronized void keep(Results known, BitSet places, BitSet passing) {
    known.tested.or(places);
    int i = 0;
    for (int place = places.nextSetBit(0); place >= 0; place = places.nextSetBit(place + 1)) {
      if (passing.get(i++)) {
        known.passed.set(place);
      }
    }
  }

  /** The approximate memory of the tests without their results. */
  synchronized long memory() {
    long all = 0;
    for (Key key : results.keySet()) {
      all += OWN_BYTES + (long) Character.BYTES * key.test().length();
    }
    return all;
  }

  /** The maximum memory of the results for a column with this number of values. */
  static long memory(int values) {
    return 2L * MOST * values / Byte.SIZE;
  }
}
