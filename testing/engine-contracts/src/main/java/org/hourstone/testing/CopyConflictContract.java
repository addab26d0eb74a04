package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.hourstone.Tsdb;
import org.hourstone.kv.Cell;
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
import org.hourstone.table.TableProgress;
import org.hourstone.tool.Admin;
import org.hourstone.tool.CopyCounts;
import org.hourstone.tool.CopyException;
import org.hourstone.tool.CopyOptions.Policy;
import org.hourstone.tool.CopyReport;
import org.hourstone.tool.CopyScope;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;

/**
 * If a store passes this, a copy to it keeps what it has already unless its policy is to replace
 * it, and names and UIDs stay one to one.
 */
public abstract class CopyConflictContract extends CopyCase {
  @Test
  final void cellsThatDifferStayOrAreReplacedAsThePolicySays() {
    Tsdb from = over(model(), false);
    Tsdb to = over(underTest(), false);
    Family points = from.engine().tables().points();
    byte[] row = HEX.parseHex("00000150e22700000001000001");
    cell(from, row, 1, "01", 5_000);
    cell(from, row, 2, "01", 5_000);
    cell(from, row, 3, "01", 5_000);
    cell(from, row, 4, "01", 5_000);
    cell(to, row, 1, "02", 4_000); // older there
    cell(to, row, 2, "02", 6_000); // newer there
    cell(to, row, 3, "01", 6_000); // the same, of another time
    cell(to, row, 9, "09", 4_000); // only there

    Told refused = new Told();
    CopyCounts first = copy(from, to, CopyScope.everything(), Policy.REFUSE, refused).total();
    assertThat(cells(to, row))
        .containsExactly("1=02@4000", "2=02@6000", "3=01@6000", "4=01@5000", "9=09@4000");
    assertThat(first.put()).isEqualTo(1);
    assertThat(first.dated()).isEqualTo(1);
    assertThat(first.differing()).isEqualTo(2);
    assertThat(refused.differences)
        .containsExactly(
            "cell 01 of row 00000150e22700000001000001 of "
                + points
                + " is 01 of 5000 in the source and 02 of 4000 in the target",
            "cell 02 of row 00000150e22700000001000001 of "
                + points
                + " is 01 of 5000 in the source and 02 of 6000 in the target");

    Told updated = new Told();
    CopyCounts second = copy(from, to, CopyScope.everything(), Policy.UPDATE, updated).total();
    assertThat(cells(to, row))
        .containsExactly("1=01@5000", "2=02@6000", "3=01@6000", "4=01@5000", "9=09@4000");
    assertThat(second.newer()).isEqualTo(1);
    assertThat(updated.differences).isEmpty();

    Told overwritten = new Told();
    CopyCounts third =
        copy(from, to, CopyScope.everything(), Policy.OVERWRITE, overwritten).total();
    assertThat(cells(to, row))
        .containsExactly("1=01@5000", "2=01@5000", "3=01@5000", "4=01@5000", "9=09@4000");
    assertThat(third.put()).isEqualTo(2);
    assertThat(third.targetChecksum()).isEqualTo(third.checksum());
    assertThat(overwritten.differences).isEmpty();
  }

  /**
   * Does something before the first change to a family: after the copy has seen what the target
   * has.
   */
  private static final class Intruder extends ForwardingStore {
    private final Consumer<KeyValueStore> intrusion;
    private boolean armed;

    Intruder(KeyValueStore store, Consumer<KeyValueStore> intrusion) {
      super(store);
      this.intrusion = intrusion;
    }

    private void intrude(Family family) {
      if (armed && family.name().equals("t")) {
        armed = false;
        intrusion.accept(delegate());
      }
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      intrude(family);
      super.mutate(family, batch);
    }

    @Override
    public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
      intrude(family);
      return super.replaceCells(family, observed, replacement);
    }
  }

  @Test
  final void aCellThatIsWrittenToTheTargetDuringTheCopyStaysAndIsReported() {
    for (Policy policy : Policy.values()) {
      for (Duration ahead : List.of(Duration.ZERO, Duration.ofDays(365 * 100))) {
        for (boolean present : new boolean[] {false, true}) {
          writtenToDuringTheCopy(policy, ahead, present);
        }
      }
    }
  }

  /**
   * @param ahead by how much the source's clock is ahead of others
   * @param present whether the target has an earlier value of the cell
   */
  private void writtenToDuringTheCopy(Policy policy, Duration ahead, boolean present) {
    String when = policy + ", ahead " + ahead + ", present " + present;
    byte[] row = HEX.parseHex("00000150e22700000001000001");
    Tsdb from = over(model(ahead), false);
    from.engine().store().put(from.engine().tables().points(), row, new byte[] {1}, new byte[] {4});
    from.engine().store().put(from.engine().tables().points(), row, new byte[] {2}, new byte[] {5});
    Family points = from.engine().tables().points();
    Intruder target =
        new Intruder(underTest(), store -> store.put(points, row, new byte[] {1}, new byte[] {9}));
    Tsdb to = over(target, false);
    if (present) {
      cell(to, row, 1, "03", 5_000);
    }
    target.armed = true;

    Told told = new Told();
    CopyCounts counts = copy(from, to, CopyScope.everything(), policy, told).total();

    Row copied = to.engine().store().get(points, row, Columns.all());
    assertThat(copied.find(new byte[] {1})).as(when).containsExactly(9);
    assertThat(copied.find(new byte[] {2})).as(when).containsExactly(5);
    assertThat(counts.differing()).as(when).isEqualTo(1);
    assertThat(told.differences).as(when).hasSize(1);
    assertThat(told.differences.get(0)).as(when).contains("cell 01 of row 00000150e227");
  }

  @Test
  final void aCellOfTheFutureIsCopiedWithTheTimeOfTheTarget() {
    Tsdb from = over(model(Duration.ofDays(365 * 100)), false);
    Tsdb to = over(underTest(), false);
    Family points = from.engine().tables().points();
    byte[] row = HEX.parseHex("00000150e22700000001000001");
    from.engine().store().put(points, row, new byte[] {1}, new byte[] {4});

    CopyReport report = copy(from, to);

    assertThat(report.total().put()).isEqualTo(1);
    assertThat(report.total().dated()).isEqualTo(1);
    assertThat(report.total().targetChecksum()).isEqualTo(report.total().checksum());
    to.engine().store().put(points, row, new byte[] {1}, new byte[] {5});
    assertThat(to.engine().store().get(points, row, Columns.all()).value(0)).containsExactly(5);
  }

  @Test
  final void namesThatContradictAreRefusedBeforeAnythingIsWritten() {
    Tsdb from = over(model(), false);
    fill(from, 1);
    from.uids().assign(UidKind.METRIC, "unused");
    Tsdb to = over(underTest(), false);
    to.uids().assign(UidKind.METRIC, "m0");
    to.uids().assign(UidKind.METRIC, "m1");
    to.uids().assign(UidKind.METRIC, "mine");
    List<String> before = cells(to);

    assertThatThrownBy(() -> copy(from, to))
        .isInstanceOf(CopyException.class)
        .hasMessage(
            "nothing is copied, since UIDs contradict each other: metrics 000003 is m2 in the"
                + " source and mine in the target");
    CopyScope used = Admin.of(from).copyScope(List.of(Query.parse("none:m2")));
    assertThatThrownBy(() -> copy(from, to, used, Policy.OVERWRITE, new Told()))
        .isInstanceOf(CopyException.class)
        .hasMessageContaining("metrics 000003 is m2 in the source and mine in the target");
    assertThat(cells(to)).isEqualTo(before);

    CopyScope others =
        Admin.of(from).copyScope(List.of(Query.parse("none:m0"), Query.parse("none:m1")));
    copy(from, to, others, Policy.REFUSE, new Told());
    assertThat(cells(to)).hasSizeGreaterThan(before.size());
    assertThat(to.uids().uid(UidKind.METRIC, "mine")).containsExactly(0, 0, 3);
  }

  /** As where it is assigned in both while they are copied, after its number was looked at. */
  @Test
  final void aNameWhoseUidHasAnotherNameInTheTargetIsNotCopied() {
    Tsdb from = over(model(), false);
    Tsdb to = over(underTest(), false);
    byte[] uid = to.uids().assign(UidKind.METRIC, "theirs");
    put(
        from.engine().store(),
        from.engine().tables().uidIds(),
        bytes("orphan"),
        bytes("metrics"),
        uid,
        1_000);

    assertThatThrownBy(() -> copy(from, to))
        .isInstanceOf(CopyException.class)
        .hasMessageContaining("metrics 000001 is orphan in the source and theirs in the target");
    assertThat(to.uids().find(UidKind.METRIC, "orphan")).isNull();
  }

  @Test
  final void countersAreRaisedAndNeverLowered() {
    Tsdb from = over(model(), false);
    Tsdb to = over(underTest(), false);
    byte[] row = {0};
    put(
        from.engine().store(),
        from.engine().tables().uidIds(),
        row,
        bytes("metrics"),
        number(7),
        1_000);
    put(
        from.engine().store(),
        from.engine().tables().uidIds(),
        row,
        bytes("tagk"),
        number(7),
        1_000);
    put(to.engine().store(), to.engine().tables().uidIds(), row, bytes("tagk"), number(9), 1_000);
    put(to.engine().store(), to.engine().tables().uidIds(), row, bytes("tagv"), number(2), 1_000);

    copy(from, to);

    assertThat(to.uids().assign(UidKind.METRIC, "a")).containsExactly(0, 0, 8);
    assertThat(to.uids().assign(UidKind.TAGK, "a")).containsExactly(0, 0, 10);
    assertThat(to.uids().assign(UidKind.TAGV, "a")).containsExactly(0, 0, 3);
  }

  @Test
  final void namesThatAreAssignedInBothConcurrentlyStayOneToOne() throws Exception {
    KeyValueStore source = model();
    AtomicInteger assigned = new AtomicInteger();
    Tsdb from = over(source, false);
    for (int i = 0; i < 200; i++) {
      from.uids().assign(UidKind.TAGV, "v" + i);
    }
    KeyValueStore target = underTest();
    Tsdb to = over(target, false);
    Tsdb other = over(target, false);
    AtomicBoolean copied = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              while (!copied.get() && assigned.get() < 500) {
                other.uids().assign(UidKind.TAGV, "own" + assigned.incrementAndGet());
              }
            });
    Told told =
        new Told() {
          @Override
          public void progress(TableProgress progress) {
            if (progress.done() == 20) {
              from.uids().uidForWriting(UidKind.TAGV, "late");
            }
          }
        };
    writer.start();
    try {
      copy(from, to, CopyScope.everything(), Policy.REFUSE, told);
      assertThat(to.uids().find(UidKind.TAGV, "late")).isNotNull();
    } catch (CopyException e) {
      // One of the first numbers was assigned before the counter was raised.
      assertThat(e).hasMessageContaining("tagv");
    } finally {
      copied.set(true);
      writer.join();
    }

    TreeSet<String> uids = new TreeSet<>();
    AtomicInteger names = new AtomicInteger();
    to.dropCaches();
    to.uids()
        .forEach(
            UidKind.TAGV,
            (name, uid) -> {
              uids.add(HEX.formatHex(uid));
              names.incrementAndGet();
              assertThat(to.uids().name(UidKind.TAGV, uid)).isEqualTo(name);
            });
    assertThat(uids).hasSize(names.get());
    assertThat(told.differences).isEmpty();
  }

  /** A store may be unable to show a cell dated before a deletion, but not take it silently. */
  @Test
  final void aCellThatWasDeletedFromTheTargetIsCopiedOrAnError() {
    Tsdb from = over(model(), false);
    KeyValueStore store = underTest();
    Tsdb to = over(store, false);
    byte[] row = HEX.parseHex("00000150e22700000001000001");
    cell(from, row, 1, "01", 5_000);
    store.put(to.engine().tables().points(), row, new byte[] {1}, new byte[] {2});
    store.mutate(
        to.engine().tables().points(),
        List.of(new RowMutation(row, new Change.Delete(new byte[] {1}))));

    try {
      copy(from, to);
    } catch (StoreException e) {
      assertThat(e.outcome()).isEqualTo(Outcome.REJECTED);
      assertThat(cells(to, row)).isEmpty();
      return;
    }
    assertThat(cells(to, row)).containsExactly("1=01@5000");
  }
}
