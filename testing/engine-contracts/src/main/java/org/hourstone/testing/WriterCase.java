package org.hourstone.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.head.WriterJournals;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreClock;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.MortalStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Daemons that keep journals on a shared store. Any store is used as if it was shared. */
@Timeout(300)
abstract class WriterCase {
  static final Instant HOUR = HeadCase.HOUR;
  static final Tags WEB01 = HeadCase.WEB01;
  static final Duration LEASE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  StoreFixture fixture;
  KeyValueStore store;
  final List<Tsdb> opened = new ArrayList<>();

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openStore() {
    fixture = StoreFixture.in(directory, 1).ticking();
    KeyValueStore own = open(fixture);
    Set<Trait> traits = EnumSet.of(Trait.SHARED);
    traits.addAll(own.traits());
    store =
        new ForwardingStore(own) {
          @Override
          public Set<Trait> traits() {
            return traits;
          }
        };
  }

  @AfterEach
  final void close() {
    for (Tsdb db : opened) {
      try {
        db.close();
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining(MortalStore.DEAD);
      }
    }
    store.close();
  }

  final TsdbOptions options(String writer) {
    return TsdbOptions.defaults()
        .withClock(fixture.clock())
        .with(Settings.HEAD_WRITER, writer)
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(MemorySettings.WRITE_ATTEMPTS, "1")
        .with(MemorySettings.WRITE_THREADS, "1");
  }

  final Tsdb open(KeyValueStore over, String writer) {
    Tsdb db = Tsdb.over(over, options(writer));
    opened.add(db);
    return db;
  }

  static Map<Instant, Double> points(Tsdb db) {
    return HeadCase.points(db, "m", WEB01);
  }

  final List<Row> rows(Family family) {
    return HeadCase.rows(store, family, Scan.all());
  }

  final List<Row> dataRows(Tsdb db) {
    return rows(db.engine().tables().points());
  }

  /** Both see the leases, and then one of them only renews its own. */
  final void letExpire(Tsdb taker) {
    taker.engine().tendJournals();
    fixture.clock().advance(LEASE);
    taker.engine().tendJournals();
  }

  /** The journals, as seen by a process without one; leases have run out by the store's clock. */
  final WriterJournals journals(boolean expired) {
    return journals(store, expired);
  }

  /** As {@link #journals(boolean)}. */
  final WriterJournals journals(KeyValueStore in, boolean expired) {
    StoreClock clock = (family, row, time) -> expired;
    KeyValueStore over =
        new ForwardingStore(in) {
          @Override
          public <T> Optional<T> extension(Class<T> type) {
            return type == StoreClock.class ? Optional.of(type.cast(clock)) : super.extension(type);
          }
        };
    return open(over, "").engine().writerJournals();
  }

  /** Replaces the value of each row of the journal's table whose key ends so. */
  final void corrupt(Family journal, String end) {
    for (Row row : rows(journal)) {
      if (new String(row.key(), ISO_8859_1).endsWith(end)) {
        store.put(journal, row.key(), row.qualifier(0), new byte[] {7});
      }
    }
  }

  static long takeovers(Tsdb db) {
    return requireNonNull(db.headStats()).takeovers();
  }

  static Family journal(Tsdb of) {
    return of.engine().options().journalFamily();
  }

  static long hidden(Tsdb db) {
    return requireNonNull(db.headStats()).hidden();
  }
}
