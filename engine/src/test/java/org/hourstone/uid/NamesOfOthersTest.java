package org.hourstone.uid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What another process does to names is noticed within a minute, not at once and not never. */
class NamesOfOthersTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final Tags TAGS = Tags.of("host", "web01");
  private static final Duration HALF_MINUTE = Duration.ofSeconds(30);

  private static final Receipt NONE =
      new Receipt() {
        @Override
        public void stored(long token) {}

        @Override
        public void failed(long token, RuntimeException reason) {}
      };

  private final ManualClock clock = new ManualClock(START);
  private final ModelStore store = new ModelStore(clock);
  private Tsdb db = Tsdb.over(withoutTraits(), options());
  private final Tsdb other = Tsdb.over(withoutTraits(), options());

  /** The store as one that promises nothing about write times. */
  private KeyValueStore withoutTraits() {
    return new ForwardingStore(store) {
      @Override
      public Set<Trait> traits() {
        return Set.of();
      }
    };
  }

  private TsdbOptions options() {
    return TsdbOptions.defaults()
        .withClock(clock)
        .with(Settings.CREATE_TABLES, "true")
        .with(MemorySettings.UID_CACHE_SECONDS, "60")
        .with(Settings.AUTO_CREATE_METRICS, "false");
  }

  @AfterEach
  void close() {
    db.close();
    other.close();
    store.close();
  }

  private String tsuid(Tsdb of, String metric) {
    return HexFormat.of().formatHex(of.writer().series(metric, TAGS.asMap()).tsuid());
  }

  @Test
  void aRenamedNameIsNoticedWithinAMinuteByReadersAndWriters() {
    byte[] uid = db.uids().assign(UidKind.METRIC, "old");
    SeriesWriter handle = db.writer().series("old", TAGS.asMap());
    db.putLine("put old 1500001200 1 host=web01").join();
    clock.advance(Duration.ofSeconds(29)); // what is kept of the series is about to be looked up
    assertThat(tsuid(db, "old")).startsWith("000001");
    other.uids().rename(UidKind.METRIC, "old", "new");
    assertThat(db.uids().name(UidKind.METRIC, uid)).isEqualTo("old");
    assertThat(tsuid(other, "new")).startsWith("000001");

    clock.advance(Duration.ofSeconds(60));
    assertThat(db.uids().name(UidKind.METRIC, uid)).isEqualTo("new");
    assertThat(db.uids().find(UidKind.METRIC, "old")).isNull();
    assertThatThrownBy(() -> tsuid(db, "old")).isInstanceOf(NoSuchNameException.class);
    assertThatThrownBy(() -> db.putLine("put old 1500001201 1 host=web01"))
        .isInstanceOf(NoSuchNameException.class);
    assertThatThrownBy(() -> handle.put(1_500_001_202, 1, NONE, 0))
        .isInstanceOf(NoSuchNameException.class);
  }

  @Test
  void aClockThatIsPutBackDelaysNothing() {
    byte[] uid = db.uids().assign(UidKind.METRIC, "old");
    SeriesWriter handle = db.writer().series("old", TAGS.asMap());
    clock.advance(Duration.ofHours(-1));
    other.uids().rename(UidKind.METRIC, "old", "new");
    clock.advance(Duration.ofMinutes(1));
    assertThat(db.uids().find(UidKind.METRIC, "old")).isNull();
    assertThat(db.uids().name(UidKind.METRIC, uid)).isEqualTo("new");
    assertThatThrownBy(() -> handle.put(1_500_001_202, 1, NONE, 0))
        .isInstanceOf(NoSuchNameException.class);
  }

  @Test
  void aNameThatWasGivenToAnotherUidIsNoticedWithinAMinute() {
    db.uids().assign(UidKind.METRIC, "m");
    SeriesWriter handle = db.writer().series("m", TAGS.asMap());
    assertThat(tsuid(db, "m")).startsWith("000001");
    // At worst the series is resolved just before its names are to be looked up again.
    clock.advance(HALF_MINUTE.minusMillis(1));
    db.writer().series("m", Tags.of("host", "web01", "dc", "x").asMap());
    other.uids().rename(UidKind.METRIC, "m", "m.before");
    clock.advance(Duration.ofMillis(1));
    other.uids().assign(UidKind.METRIC, "m");
    clock.advance(HALF_MINUTE);
    clock.advance(HALF_MINUTE.minusMillis(1));
    assertThat(tsuid(db, "m")).startsWith("000002");
    assertThat(
            HexFormat.of()
                .formatHex(
                    db.writer().series("m", Tags.of("host", "web01", "dc", "x").asMap()).tsuid()))
        .startsWith("000002");
    assertThat(HexFormat.of().formatHex(handle.tsuid())).startsWith("000002");
  }

  @Test
  void aDeletedNameIsNoticedWithinAMinute() {
    byte[] uid = db.uids().assign(UidKind.METRIC, "m");
    other.uids().delete(UidKind.METRIC, "m");
    assertThat(db.uids().find(UidKind.METRIC, "m")).isEqualTo(uid);
    clock.advance(Duration.ofSeconds(60));
    assertThat(db.uids().find(UidKind.METRIC, "m")).isNull();
    assertThatThrownBy(() -> db.uids().name(UidKind.METRIC, uid))
        .isInstanceOf(NoSuchUidException.class);
  }

  @Test
  void namesAreKeptForEverWhereThatIsAskedFor() {
    db.close();
    db = Tsdb.over(withoutTraits(), options().with(MemorySettings.UID_CACHE_SECONDS, "0"));
    byte[] uid = db.uids().assign(UidKind.METRIC, "m");
    other.uids().rename(UidKind.METRIC, "m", "n");
    clock.advance(Duration.ofDays(365));
    assertThat(db.uids().name(UidKind.METRIC, uid)).isEqualTo("m");
    db.dropCaches();
    assertThat(db.uids().name(UidKind.METRIC, uid)).isEqualTo("n");
  }

  @Test
  void aHandleNoticesAtOnceWhatIsDoneHere() {
    db.uids().assign(UidKind.METRIC, "m");
    SeriesWriter handle = db.writer().series("m", TAGS.asMap());
    db.uids().rename(UidKind.METRIC, "m", "n");
    assertThatThrownBy(() -> handle.put(1_500_001_202, 1, NONE, 0))
        .isInstanceOf(NoSuchNameException.class);
  }
}
