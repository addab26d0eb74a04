package org.hourstone.testing.schedule;

import java.time.InstantSource;
import java.util.Set;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.store.ModelStore;

/** What kind of store the actors have. */
enum Personality {
  /** Each change of a row has a later write time than the one before. */
  EXACT {
    @Override
    KeyValueStore open(InstantSource clock) {
      return new ModelStore(clock);
    }
  },
  /** Write times are the clock's milliseconds, and other processes use the store: as HBase. */
  MILLISECONDS {
    @Override
    KeyValueStore open(InstantSource clock) {
      return new ModelStore(clock, Set.of(Trait.SHARED));
    }
  };

  abstract KeyValueStore open(InstantSource clock);
}
