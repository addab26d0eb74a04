package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.health.DiskReserveException;
import org.hourstone.health.DiskSpace;
import org.hourstone.kv.DiskUsage;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.tree.RuleType;
import org.hourstone.tree.TreeDefinition;
import org.hourstone.uid.UidKind;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesPoints;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** While a store's disk is nearly full, nothing new is accepted, and all else works. */
public abstract class DiskReserveContract extends TsdbCase {
  private static final long RESERVE = 1000;
  private static final long TOTAL = 100_000;

  private volatile long free = TOTAL;

  /** The store under test with a disk that is as full as the test wants. */
  private final class OnDisk extends ForwardingStore {
    OnDisk(KeyValueStore under) {
      super(under);
    }

    @Override
    public <T> Optional<T> extension(Class<T> type) {
      return type == DiskUsage.class
          ? Optional.of(
              type.cast(
                  new DiskUsage() {
                    @Override
                    public long bytes() {
                      return TOTAL - free;
                    }

                    @Override
                    public Space space() {
                      return new Space(free, TOTAL);
                    }
                  }))
          : super.extension(type);
    }
  }

  private static final class Outcomes implements Receipt {
    private final List<Throwable> failures = new ArrayList<>();

    @Override
    public void stored(long token) {
      throw new AssertionError("stored");
    }

    @Override
    public synchronized void failed(long token, RuntimeException reason) {
      failures.add(reason);
    }
  }

  @BeforeEach
  final void useADisk() {
    db.close();
    db =
        Tsdb.over(
            new OnDisk(store),
            db.engine().options().with(Settings.DISK_RESERVE, Long.toString(RESERVE)));
  }

  private void fill() {
    free = RESERVE - 1;
    while (db.storeState().refusal() == null) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  private void clear() {
    free = TOTAL;
    while (db.storeState().refusal() != null) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static void assertRefused(Runnable write) {
    assertThatThrownBy(write::run)
        .isInstanceOf(DiskReserveException.class)
        .hasMessageContaining("the disk is nearly full");
  }

  @Test
  final void pointsOfEveryKindAreRefusedWhileTheDiskIsNearlyFullAndNoNameIsAssigned() {
    db.put("m", START, 1L, WEB01).join();
    fill();
    assertRefused(() -> db.put("m", START.plusSeconds(1), 2L, WEB01));
    assertRefused(() -> db.put("new", START, 2.5, WEB01));
    assertRefused(() -> db.putLine("put m " + (HOUR + 2) + " 3 host=web01"));
    assertRefused(() -> db.putLine("put m " + (HOUR + 2) + " 3 host=new"));
    assertRefused(
        () ->
            db.writer()
                .putCell(
                    db.engine().tables().points(),
                    new byte[] {1},
                    new byte[] {2},
                    new byte[] {3},
                    new Outcomes(),
                    0));
    assertRefused(() -> db.uids().assign(UidKind.TAGK, "new"));
    assertRefused(
        () -> db.annotations().save(new Annotation("", HOUR, 0, "text", "", null), false));
    Outcomes outcomes = new Outcomes();
    SeriesPoints points = db.writer().seriesPoints(outcomes);
    points.add(db.writer().series("m", WEB01.asMap()), HOUR + 3, 4, 0);
    points.add(db.writer().series("m", WEB01.asMap()), HOUR + 4, 5, 1);
    points.send();
    assertThat(outcomes.failures).hasSize(2).hasOnlyElementsOfType(DiskReserveException.class);

    db.flush();
    assertThat(db.uids().find(UidKind.METRIC, "new")).isNull();
    assertThat(db.uids().find(UidKind.TAGV, "new")).isNull();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=1");

    clear();
    db.put("new", START, 2L, WEB01).join();
    assertThat(ask(query("none:new"))).containsExactly("new{host=web01}[]: 0=2");
  }

  @Test
  final void namesMetadataAndTreesAreChangedOnlyWhileTheDiskHasRoom() {
    db.put("m", START, 1L, WEB01).join();
    byte[] uid = db.uids().uid(UidKind.METRIC, "m");
    byte[] tsuid = db.engine().seriesNames().tsuid("m", WEB01.asMap());
    int tree = db.trees().create(TreeDefinition.named("t")).id();
    db.trees().updateRule(tree, 0, 0, rule -> rule.of(RuleType.METRIC));
    fill();
    assertRefused(() -> db.uids().rename(UidKind.METRIC, "m", "n"));
    assertRefused(() -> db.metadata().names().create(UidKind.METRIC, uid, HOUR));
    assertRefused(() -> db.metadata().series().createCounter(tsuid));
    assertRefused(() -> db.trees().create(TreeDefinition.named("u")));
    assertRefused(() -> db.trees().update(tree, definition -> definition));
    assertRefused(() -> db.trees().updateRule(tree, 0, 0, rule -> rule));
    assertThat(db.uids().find(UidKind.METRIC, "n")).isNull();

    db.trees().replaceRules(tree, List.of());
    db.trees().delete(tree, true);
    db.metadata().names().delete(UidKind.METRIC, uid);
    assertThat(db.trees().all()).isEmpty();

    clear();
    db.uids().rename(UidKind.METRIC, "m", "n");
    assertThat(ask(query("none:n"))).containsExactly("n{host=web01}[]: 0=1");
  }

  @Test
  final void whatWasAcceptedIsWrittenAndReadsDeletionsAndCompactionGoOn() {
    for (int i = 0; i < 20; i++) {
      db.put("m", START.plusSeconds(i), i, WEB01);
    }
    db.put("n", START, 1L, WEB01);
    fill();
    db.flush();
    assertThat(ask(query("sum:1h-count:m"))).hasSize(1).first().asString().contains("0=20");
    assertThat(db.delete(query("sum:n"))).isEqualTo(1);
    db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
    assertThat(ask(query("sum:1h-count:m"))).hasSize(1).first().asString().contains("0=20");
    assertThat(ask(query("none:n"))).isEmpty();
  }

  @Test
  final void theStateOfTheStoreHasTheReasonAndTheDisk() {
    assertThat(db.diskSpace()).contains(new DiskSpace(TOTAL, TOTAL, RESERVE));
    fill();
    assertThat(db.storeState().answers()).isTrue();
    assertThat(db.storeState().refusal()).contains("hourstone.disk.reserve");
    assertThat(db.diskSpace()).contains(new DiskSpace(RESERVE - 1, TOTAL, RESERVE));
  }

  @Test
  final void aDatabaseThatIsOpenedOnADiskThatIsNearlyFullAcceptsNothing() {
    free = 0;
    db.close();
    db = Tsdb.over(new OnDisk(store), db.engine().options());
    assertRefused(() -> db.put("m", Instant.ofEpochSecond(HOUR), 1L, WEB01));
    with(Settings.DISK_RESERVE, "0");
    db.put("m", START, 1L, WEB01).join();
  }
}
