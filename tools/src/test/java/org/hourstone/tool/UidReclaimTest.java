package org.hourstone.tool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.hourstone.meta.TsMeta;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ActingStore;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names that nothing uses are deleted, and no others, whoever writes. */
class UidReclaimTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);

  private final ManualClock clock = new ManualClock(START);
  private final List<KeyValueStore> stores = new ArrayList<>();
  private final Set<String> reported = new TreeSet<>();

  @AfterEach
  void close() {
    stores.forEach(KeyValueStore::close);
  }

  private KeyValueStore store(Trait... traits) {
    KeyValueStore store = new ModelStore(clock, Set.of(traits));
    stores.add(store);
    return store;
  }

  private TsdbOptions options() {
    return TsdbOptions.defaults()
        .withClock(clock)
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(Settings.INDEX_ENABLE, "true");
  }

  private static void put(Tsdb db, String metric, String tagk, String tagv) {
    db.put(metric, START, 1, Tags.of(tagk, tagv)).join();
  }

  private UidReclaim.Report reclaim(Tsdb db, boolean dryRun, boolean noWriters) {
    return Admin.of(db)
        .uidReclaim(
            new UidReclaim.Options(clock.instant().minus(Duration.ofDays(1)), dryRun, noWriters),
            (kind, name, uid) -> reported.add(kind.qualifier() + " " + name))
        .run(2);
  }

  private static Set<String> names(Tsdb db) {
    Set<String> names = new TreeSet<>();
    for (UidKind kind : UidKind.values()) {
      db.uids().forEach(kind, (name, uid) -> names.add(kind.qualifier() + " " + name));
    }
    return names;
  }

  private static void checkSound(Tsdb db) {
    UidFsckReport report = Admin.of(db).uidFsck(false, false, finding -> {}).run();
    assertThat(report.found()).isZero();
  }

  private static void assignUnused(Tsdb db) {
    db.uids().assign(UidKind.METRIC, "unused.m");
    db.uids().assign(UidKind.TAGK, "unused.k");
    db.uids().assign(UidKind.TAGV, "unused.v");
  }

  @Test
  void whatNothingUsesIsDeleted() {
    try (Tsdb db = Tsdb.over(store(), options())) {
      put(db, "m", "host", "a");
      assignUnused(db);
      db.uids().assign(UidKind.TAGV, "m"); // a metric is used, a value of this name is not
      clock.advance(Duration.ofDays(2));
      put(db, "m", "host", "b");
      db.uids().assign(UidKind.TAGV, "young");
      Set<String> before = names(db);

      UidReclaim.Report counted = reclaim(db, true, false);

      Set<String> unused = Set.of("metrics unused.m", "tagk unused.k", "tagv unused.v", "tagv m");
      assertThat(reported).isEqualTo(unused);
      assertThat(counted.names()).isEqualTo(before.size());
      assertThat(counted.sum()).isEqualTo(4);
      assertThat(names(db)).isEqualTo(before);

      assertThat(reclaim(db, false, false).unused()).isEqualTo(counted.unused());
      before.removeAll(unused);
      assertThat(names(db)).isEqualTo(before);
      checkSound(db);
      assertThat(reclaim(db, false, false).sum()).isZero();
      // A number that was freed is not assigned again.
      assertThat(db.uids().assign(UidKind.METRIC, "unused.m")).containsExactly(0, 0, 3);
    }
  }

  @Test
  void everyTableThatRefersToAUidCounts() {
    KeyValueStore store = store();
    try (Tsdb db = Tsdb.over(store, options())) {
      assignUnused(db);
      for (String name : List.of("annotated", "described", "leaf")) {
        db.uids().assign(UidKind.METRIC, name);
        db.uids().assign(UidKind.TAGK, name);
        db.uids().assign(UidKind.TAGV, name);
      }
      String annotated = "000002000002000002";
      var saved =
          db.annotations()
              .save(new Annotation(annotated, START.getEpochSecond(), 0, "a", "", null), false);
      assertThat(saved).isPresent();
      byte[] described = {0, 0, 3, 0, 0, 3, 0, 0, 3};
      assertThat(
              db.metadata()
                  .series()
                  .create(described, TsMeta.of("000003000003000003", START.getEpochSecond())))
          .isTrue();
      Family trees = db.engine().tables().trees();
      byte[] leaf = "leaf:abcd".getBytes(ISO_8859_1);
      byte[] value =
          "{\"displayName\":\"x\",\"tsuid\":\"000004000004000004\"}".getBytes(ISO_8859_1);
      db.engine()
          .store()
          .mutate(trees, List.of(new RowMutation(new byte[] {0, 1}, new Change.Put(leaf, value))));
      clock.advance(Duration.ofDays(2));
      assertThat(reclaim(db, false, false).sum()).isEqualTo(3);
      assertThat(reported).containsExactly("metrics unused.m", "tagk unused.k", "tagv unused.v");
      checkSound(db);
    }
  }

  @Test
  void othersThatWriteMustHaveStopped() {
    try (Tsdb db = Tsdb.over(store(Trait.SHARED), options())) {
      put(db, "m", "host", "a");
      assignUnused(db);
      clock.advance(Duration.ofDays(2));
      assertThatThrownBy(() -> reclaim(db, false, false))
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("--no-writers");
      assertThat(reclaim(db, true, false).sum()).isEqualTo(3);
      assertThat(reclaim(db, false, true).sum()).isEqualTo(3);
      checkSound(db);
    }
  }

  @Test
  void aTableThatTheSettingsDontNameIsAnError() {
    KeyValueStore store = store();
    try (Tsdb db = Tsdb.over(store, options())) {
      put(db, "m", "host", "a");
      Family unknown = new Family("tsdb-rollup-1h", db.engine().tables().points().name());
      store.ensure(List.of(new FamilySpec(unknown, false)), SchemaMode.CREATE);
      assertThatThrownBy(() -> reclaim(db, true, false))
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("tsdb-rollup-1h");
    }
  }

  /** Runs an action before a call of one thread. */
  private static final class Hook extends ActingStore {
    private final int before;
    private final Runnable action;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile Thread thread = Thread.currentThread();
    private volatile boolean isActive;

    Hook(KeyValueStore store, int before, Runnable action) {
      super(store);
      this.before = before;
      this.action = action;
    }

    @Override
    protected void before() {
      if (isActive && Thread.currentThread() == thread && calls.getAndIncrement() == before) {
        isActive = false;
        action.run();
        isActive = true;
      }
    }

    @Override
    public void close() {
      // The test closes the store.
    }
  }

  /** Reports again what was refused by a thread that writes. */
  private static void flush(Tsdb db) {
    try {
      db.flush();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining("uid reclaim");
    }
  }

  /** A name is used for the first time before each of the calls of a run. */
  @Test
  void aNameThatIsUsedDuringTheRunLosesNoPoint() {
    Set<String> results = new TreeSet<>();
    int calls = 1;
    for (int k = 0; k < calls + 12; k += k < 20 || k > calls - 30 ? 1 : 29) {
      KeyValueStore inner = new ModelStore(clock);
      Tsdb[] db = new Tsdb[1];
      List<String> stored = new ArrayList<>();
      Runnable write =
          () -> {
            try {
              put(db[0], "m", "host", "unused.v");
              stored.add("stored");
            } catch (StoreException | CompletionException e) {
              stored.add("refused");
              assertThat(e).hasMessageContaining("uid reclaim");
            }
          };
      Hook hook = new Hook(inner, k, write);
      try (Tsdb opened = Tsdb.over(hook, options())) {
        db[0] = opened;
        put(opened, "m", "host", "a");
        assignUnused(opened);
        opened.uids().assign(UidKind.TAGV, "zz"); // is deleted after the other one
        var resolved = opened.writer().series("m", Tags.of("host", "unused.v").asMap());
        assertThat(resolved).isNotNull();
        clock.advance(Duration.ofDays(2));
        hook.isActive = true;
        UidReclaim.Report report =
            Admin.of(opened)
                .uidReclaim(
                    new UidReclaim.Options(clock.instant().minus(Duration.ofDays(1)), false, false),
                    (kind, name, uid) -> {})
                .run(1);
        hook.isActive = false;
        calls = hook.calls.get();
        results.add(stored + " " + report.unused().get(UidKind.TAGV));
        flush(opened);
        put(opened, "m", "host", "unused.v");
        AtomicInteger found = new AtomicInteger();
        try (SeriesCursor series =
            opened.query(Query.parse("none:m{host=*}").between(START, START.plusSeconds(60)))) {
          series.forEach(each -> found.incrementAndGet());
        }
        assertThat(found).as("call " + k).hasValue(2);
        checkSound(opened);
      }
      inner.close();
    }
    assertThat(results).contains("[stored] 1", "[refused] 2", "[stored] 2");
  }
}
