package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.query.Query;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.tool.Admin;
import org.hourstone.tool.CopyCounts;
import org.hourstone.tool.CopyOptions;
import org.hourstone.tool.CopyOptions.Policy;
import org.hourstone.tool.CopyReport;
import org.hourstone.tool.CopyScope;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * If a store passes this, cells are copied to it and from it and none is lost or changed, whatever
 * fails during the copy.
 */
public abstract class CopyContract extends CopyCase implements RepeatedCases {
  /** After how many different calls a copy is killed. */
  private static final int KILLS = 60;

  private static final byte[] POINT = {0, 0};

  @Test
  final void everyCellIsTheSameThereAndBack() {
    int seed = new Random().nextInt(1000);
    boolean salted = seed % 2 == 1;
    String when = "seed " + seed;
    Tsdb first = over(model(), salted);
    fill(first, seed);
    Tsdb there = over(underTest(), salted);
    Tsdb back = over(model(Duration.ofDays(2)), salted);

    CopyReport forth = copy(first, there);
    CopyReport again = copy(there, back);

    assertThat(cells(there)).as(when).isEqualTo(cells(first));
    assertThat(cells(back)).as(when).isEqualTo(cells(first));
    assertThat(again.families()).as(when).isEqualTo(forth.families());
    assertThat(forth.families().values())
        .allSatisfy(counts -> assertThat(counts.checksum()).isNotZero());
    assertThat(forth.total().targetChecksum()).as(when).isEqualTo(forth.total().checksum());
    assertThat(forth.total().put()).as(when).isEqualTo(forth.total().cells());
    // Counters are raised, not copied.
    assertThat(forth.total().cells()).as(when).isEqualTo(cells(first).size() - 3);
  }

  @Test
  final void whatIsThereAlreadyIsNotPutAgain() {
    Tsdb first = over(model(), true);
    fill(first, 5);
    Tsdb there = over(underTest(), true);
    CopyReport once = copy(first, there);

    CopyReport twice = copy(first, there);

    assertThat(twice.total().put()).isZero();
    assertThat(twice.total().cells()).isEqualTo(once.total().cells());
    assertThat(twice.total().checksum()).isEqualTo(once.total().checksum());
    assertThat(twice.total().targetChecksum()).isEqualTo(once.total().checksum());
  }

  @Test
  final void onlyWhatWasWrittenSinceATimeIsCopied() {
    ManualClock time = newClock();
    KeyValueStore store = model(time);
    Tsdb first = over(store, true);
    fill(first, 6);
    Tsdb there = over(underTest(), true);
    CopyReport all = copy(first, there);
    time.advance(Duration.ofMinutes(1));
    byte[] row = new byte[first.engine().options().schema().tagsOffset()];
    put(store, first.engine().tables().points(), row, POINT, new byte[] {2}, time.millis());
    first.uids().assign(UidKind.METRIC, "new");

    CopyOptions since = new CopyOptions(Policy.UPDATE, false, 2, time.millis());
    CopyReport later =
        Admin.of(first).copyTo(there, CopyScope.everything(), since, new Told()).run(null);

    assertThat(later.total().put()).isEqualTo(3); // a point, a name and its UID
    assertThat(later.total().rows()).isEqualTo(3).isLessThan(all.total().rows());
    assertThat(cells(there)).isEqualTo(cells(first));
  }

  @Test
  final void aMetricAndItsHoursComeWithTheirNamesAndMetadataAlone() {
    Tsdb from = over(model(), true);
    fill(from, 3);
    RowKey keys = new RowKey(from.engine().options().schema());
    byte[] dc = from.uids().assign(UidKind.TAGK, "dc");
    byte[] lga = from.uids().assign(UidKind.TAGV, "lga");
    byte[] nyc = from.uids().assign(UidKind.TAGV, "nyc");
    byte[] m = from.uids().assign(UidKind.METRIC, "wanted");
    byte[] tsuid = keys.tsuid(m, List.of(new TagPair(dc, lga)));
    byte[] othersTsuid = keys.tsuid(m, List.of(new TagPair(dc, nyc)));
    KeyValueStore store = from.engine().store();
    Family points = from.engine().tables().points();
    for (int hour = 0; hour < 4; hour++) {
      put(store, points, keys.rowKey(tsuid, HOUR + hour * 3600L), POINT, new byte[] {1}, 9_000);
      put(store, points, keys.rowKey(othersTsuid, HOUR + hour * 3600L), POINT, POINT, 9_000);
      byte[] global = new byte[keys.schema().tagsOffset()];
      keys.setBaseTime(global, HOUR + hour * 3600L);
      put(store, points, global, new byte[] {1, 0, 5}, bytes("{}"), 9_001);
    }
    put(store, from.engine().tables().seriesMeta(), tsuid, bytes("ts_meta"), bytes("{}"), 9_002);
    put(store, from.engine().tables().seriesMeta(), tsuid, bytes("ts_ctr"), number(4), 9_003);
    put(store, from.engine().tables().uidNames(), lga, bytes("tagv_meta"), bytes("{}"), 9_004);
    Tsdb to = over(underTest(), true);
    CopyScope scope =
        Admin.of(from)
            .copyScope(
                List.of(
                    Query.parse("none:wanted{dc=lga}")
                        .betweenMillis((HOUR + 3600) * 1000, (HOUR + 3 * 3600 - 1) * 1000)));

    copy(from, to, scope, Policy.REFUSE, new Told());

    TreeSet<String> expected = new TreeSet<>();
    for (int hour = 1; hour < 3; hour++) {
      expected.add("t " + HEX.formatHex(keys.rowKey(tsuid, HOUR + hour * 3600L)) + " 0000 01 9000");
      byte[] global = new byte[keys.schema().tagsOffset()];
      keys.setBaseTime(global, HOUR + hour * 3600L);
      expected.add("t " + HEX.formatHex(global) + " 010005 7b7d 9001");
    }
    String series = "name " + HEX.formatHex(tsuid);
    expected.add(series + " 74735f6d657461 7b7d 9002");
    expected.add(series + " 74735f637472 0000000000000004 9003");
    expected.add("name " + HEX.formatHex(lga) + " " + hex("tagv_meta") + " 7b7d 9004");
    entry(expected, "metrics", "wanted", m);
    entry(expected, "tagk", "dc", dc);
    entry(expected, "tagv", "lga", lga);
    for (UidKind kind : UidKind.values()) {
      long last = from.uids().usage(kind).assigned();
      expected.add("id 00 " + hex(kind.qualifier()) + " " + HEX.formatHex(number(last)));
    }
    assertThat(new TreeSet<>(cells(to))).isEqualTo(expected);
  }

  private static void entry(Set<String> cells, String kind, String name, byte[] uid) {
    cells.add("name " + HEX.formatHex(uid) + " " + hex(kind) + " " + hex(name));
    cells.add("id " + hex(name) + " " + hex(kind) + " " + HEX.formatHex(uid));
  }

  private static String hex(String text) {
    return HEX.formatHex(bytes(text));
  }

  @Test
  final void comparingWritesNothingAndFindsWhatIsMissingOrDifferent() {
    Tsdb from = over(model(), false);
    fill(from, 8);
    Tsdb to = over(underTest(), false);
    copy(from, to);
    Told same = new Told();
    assertThat(verify(from, to, same).total().put()).isZero();
    assertThat(same.differences).isEmpty();
    byte[] row = HEX.parseHex("00000250e22700000001000001");
    cell(from, row, 1, "01", 8_000);
    cell(from, row, 2, "01", 8_000);
    cell(to, row, 2, "02", 8_000);
    from.uids().assign(UidKind.METRIC, "new");
    List<String> before = cells(to);

    Told told = new Told();
    CopyCounts counts = verify(from, to, told).total();

    assertThat(counts.put()).isEqualTo(3);
    assertThat(counts.differing()).isEqualTo(1);
    assertThat(counts.targetChecksum()).isNotEqualTo(counts.checksum());
    assertThat(told.differences)
        .hasSize(5)
        .contains(
            "cell 01 of row 00000250e22700000001000001 of "
                + to.engine().tables().points()
                + " is missing in the target",
            "the counter of metrics is 4 in the source and 3 in the target");
    assertThat(cells(to)).isEqualTo(before);
  }

  @Test
  final void aRowThatIsLargerThanABatchIsCopied() {
    Tsdb from = over(model(), false);
    Tsdb to = over(underTest(), false);
    byte[] row = HEX.parseHex("00000150e22700000001000001");
    List<Change> cells = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      byte[] value = new byte[100_000];
      Arrays.fill(value, (byte) i);
      cells.add(new Change.PutIfNewer(new byte[] {(byte) i, 0}, value, 4_000 + i));
    }
    from.engine()
        .store()
        .mutate(from.engine().tables().points(), List.of(new RowMutation(row, cells)));

    assertThat(copy(from, to).total().put()).isEqualTo(30);
    assertThat(cells(to)).isEqualTo(cells(from));
  }

  @Test
  final void rowsOfRollupsComeWithTheirMetric() {
    TsdbOptions options =
        options(false)
            .with(Settings.ROLLUPS_ENABLE, "true")
            .with(
                Settings.ROLLUPS_CONFIG,
                """
                {"aggregationIds":{"sum":0},"intervals":[
                {"interval":"1m","table":"tsdb","preAggregationTable":"tsdb-pre","rowSpan":"1h","defaultInterval":true},
                {"interval":"1h","table":"rolled","preAggregationTable":"tsdb-pre","rowSpan":"1d"}]}
                """);
    Tsdb from = Tsdb.over(model(), options);
    opened.add(from);
    Tsdb to = Tsdb.over(underTest(), options);
    opened.add(to);
    byte[] m = from.uids().assign(UidKind.METRIC, "m");
    byte[] host = from.uids().assign(UidKind.TAGK, "host");
    byte[] web = from.uids().assign(UidKind.TAGV, "web");
    RowKey keys = new RowKey(options.schema());
    byte[] tsuid = keys.tsuid(m, List.of(new TagPair(host, web)));
    long day = HOUR - HOUR % 86_400;
    Family rolled = new Family("rolled", "t");
    for (int i = 0; i < 3; i++) {
      byte[] row = keys.rowKey(tsuid, day + i * 86_400L);
      put(from.engine().store(), rolled, row, new byte[] {0, 1, 0}, new byte[] {(byte) i}, 4_000);
    }
    CopyScope scope =
        Admin.of(from)
            .copyScope(
                List.of(
                    Query.parse("none:m")
                        .betweenMillis((day + 90_000) * 1000, (day + 100_000) * 1000)));

    CopyReport report = copy(from, to, scope, Policy.REFUSE, new Told());

    assertThat(report.families())
        .hasEntrySatisfying(rolled, counts -> assertThat(counts.cells()).isEqualTo(1));
    byte[] second = keys.rowKey(tsuid, day + 86_400L);
    assertThat(to.engine().store().get(rolled, second, Columns.all()).value(0)).containsExactly(1);
    assertThat(to.uids().uid(UidKind.METRIC, "m")).isEqualTo(m);
    assertThatThrownBy(() -> copy(from, over(model(), false))).isInstanceOf(RequestException.class);
  }

  @Test
  final void failedCallsAreRepeated() {
    Tsdb from = over(model(), true);
    fill(from, 11);
    int seed = new Random().nextInt();
    FaultPlan plan = new FaultPlan(seed);
    Tsdb source = over(new FaultyStore(from.engine().store(), plan), true);
    Tsdb target = over(new FaultyStore(underTest(), plan), true);
    for (Operation operation : Operation.values()) {
      for (FaultPlan.Fault fault : FaultPlan.Fault.values()) {
        plan.fail(operation, fault, 0.02);
      }
    }
    Told told = new Told();

    CopyReport report = copyAgainAndAgain(source, target, told);

    plan.calm();
    assertThat(plan.injected()).as("seed %d", seed).isPositive();
    assertThat(told.differences).as("seed %d", seed).isEmpty();
    assertThat(cells(target)).as("seed %d", seed).isEqualTo(cells(from));
    assertThat(report.total().checksum())
        .as("seed %d", seed)
        .isEqualTo(report.total().targetChecksum());
  }

  /** A copy gives up if the stores fail too often in a row; then it is started again. */
  private static CopyReport copyAgainAndAgain(Tsdb source, Tsdb target, Told told) {
    StoreException last = null;
    for (int run = 0; run < 20; run++) {
      try {
        return copy(source, target, CopyScope.everything(), Policy.REFUSE, told);
      } catch (StoreException e) {
        last = e;
      }
    }
    throw new AssertionError("no copy has succeeded", last);
  }

  /** Its calls end in nothing from some call on, as those of a process that was killed. */
  private static final class Killed extends ForwardingStore {
    private final AtomicInteger left;

    Killed(KeyValueStore delegate, AtomicInteger left) {
      super(delegate);
      this.left = left;
    }

    private void call() {
      if (left.decrementAndGet() < 0) {
        throw new StoreException(Outcome.REJECTED, "killed");
      }
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      if (left.get() == 1 && batch.size() > 1) {
        super.mutate(family, batch.subList(0, batch.size() / 2));
        left.set(0);
      }
      call();
      super.mutate(family, batch);
    }

    @Override
    public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
      call();
      return super.get(family, rows, columns);
    }

    @Override
    public boolean compareAndSet(
        Family family,
        byte[] row,
        byte[] qualifier,
        byte @Nullable [] expected,
        byte @Nullable [] update) {
      call();
      return super.compareAndSet(family, row, qualifier, expected, update);
    }
  }

  @Test
  final void aCopyThatIsKilledAfterAnyCallGoesOnWhereItWas() {
    Tsdb from = over(model(), true);
    fill(from, 13);
    KeyValueStore store = underTest();
    Tsdb to = over(store, true);
    String checkpoint = null;
    List<String> sums = new ArrayList<>();
    byte[] growing = HEX.parseHex("00000150e22700000001000001");
    AtomicInteger left = new AtomicInteger();
    Told told =
        new Told() {
          @Override
          public void checkpoint(String state) {
            if (left.get() >= 0) { // a process that was killed saves nothing
              super.checkpoint(state);
            }
          }
        };
    boolean complete = false;
    int kills = scaled(KILLS);
    for (int kill = 1; !complete; kill++) {
      // A row that changes all the time, also between a run that was killed and the next.
      cell(from, growing, 1, String.format(Locale.ROOT, "%08x", kill), 10_000 + kill);
      left.set(kill <= kills ? 1 + kill % 7 : Integer.MAX_VALUE);
      Tsdb target = over(new Killed(store, left), true);
      try {
        CopyReport report =
            Admin.of(from)
                .copyTo(
                    target, CopyScope.everything(), new CopyOptions(Policy.REFUSE, false, 1), told)
                .run(checkpoint);
        sums.add(Long.toHexString(report.total().checksum()));
        complete = true;
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("killed");
        checkpoint = told.checkpoint;
      }
    }

    Told last = new Told();
    CopyCounts rest = copy(from, to, CopyScope.everything(), Policy.UPDATE, last).total();
    assertThat(told.differences).isEmpty();
    assertThat(rest.put()).as("the cell that changed after its row was done").isLessThan(2);
    assertThat(cells(to)).isEqualTo(cells(from));
    assertThat(sums).hasSize(1);
  }
}
