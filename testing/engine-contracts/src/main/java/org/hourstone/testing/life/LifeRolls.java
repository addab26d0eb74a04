package org.hourstone.testing.life;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.hourstone.retention.ImplausibleClockException;
import org.hourstone.retention.RetentionReport;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.table.TableListener;
import org.hourstone.testing.life.LifeModel.Series;
import org.hourstone.testing.life.LifeModel.Summary;

/** The steps of a {@link Life} that roll up, delete what has expired, and repair. */
final class LifeRolls {
  private static final long HOUR = LifeModel.HOUR;
  private static final long DAY = 24 * HOUR;

  private final Life life;
  private final RandomGenerator random;
  private final LifeModel model;
  private final LifeDraws draws;
  private final LifeWrites writes;

  /** Cells that may be in the store. */
  private final List<Corrupt> corrupt = new ArrayList<>();

  private record Corrupt(Series series, long millis) {}

  LifeRolls(
      Life life, RandomGenerator random, LifeModel model, LifeDraws draws, LifeWrites writes) {
    this.life = life;
    this.random = random;
    this.model = model;
    this.draws = draws;
    this.writes = writes;
  }

  private OwnRollups rollups() {
    return life.db().ownRollups().orElseThrow();
  }

  private void mayRoll() {
    model.roll(life.now(), life.now(), false);
  }

  private void hasRolled() {
    if (life.intervals().contains("1h")) {
      model.roll((life.now() - 600) / HOUR * HOUR, life.now(), true);
    }
  }

  void roll() {
    if (life.intervals().isEmpty()) {
      return;
    }
    boolean isFlushed = random.nextBoolean();
    boolean isVerified = isFlushed && random.nextInt(6) == 0;
    life.log("roll" + (isFlushed ? ", flushed" : "") + (isVerified ? ", verified" : ""));
    if (isFlushed) {
      life.db().flush(); // a row that is sealed later is marked
    }
    mayRoll();
    var unused = rollups().run(() -> false, done -> {}, rows -> {});
    if (isFlushed) {
      hasRolled();
    }
    if (isVerified) {
      long differing = rollups().verify(() -> false, done -> {});
      if (differing > 0 && !model.haveIntervalsDrifted()) {
        throw new AssertionError(differing + " rows of rolled-up values differ");
      }
    }
  }

  void rollInPart() {
    if (life.intervals().isEmpty()) {
      return;
    }
    int most = random.nextInt(12);
    life.log("roll, interrupted after " + most);
    AtomicInteger calls = new AtomicInteger();
    mayRoll();
    try {
      var unused = rollups().run(() -> calls.incrementAndGet() > most, done -> {}, rows -> {});
    } catch (CancellationException e) {
      life.note("  it was");
    }
  }

  /** Points are put in the midst of rolling up, in a call of the store. */
  void rollBesideWrites() {
    if (life.intervals().isEmpty()) {
      return;
    }
    int calls = 1 + random.nextInt(1 << random.nextInt(9));
    life.log("roll, with a put in call " + calls);
    mayRoll();
    life.store().interrupt(calls, () -> writes.put(3));
    try {
      var unused = rollups().run(() -> false, done -> {}, rows -> {});
    } finally {
      life.store().interruptNoMore();
    }
    mayRoll();
  }

  void rollFailing() {
    if (life.intervals().isEmpty()) {
      return;
    }
    life.db().flush();
    mayRoll();
    life.mortal().failAfter(random.nextInt(6));
    try {
      var unused = rollups().run(() -> false, done -> {}, rows -> {});
    } catch (RuntimeException e) {
      if (!Life.isOfDeath(e)) {
        throw e;
      }
    } finally {
      life.mortal().recover();
    }
  }

  void retain() {
    if (life.isAhead() && model.newest() > life.now() - 2 * DAY) {
      return; // it would delete all before
    }
    boolean isRight = random.nextInt(4) == 0 && !life.isAhead();
    life.db().flush();
    if (!life.intervals().isEmpty() && random.nextInt(3) > 0) {
      life.log("roll, before retention");
      mayRoll();
      var unused = rollups().run(() -> false, done -> {}, rows -> {});
      hasRolled();
    }
    life.log("retention" + (isRight ? ", the clock is right" : ""));
    try {
      retain(isRight);
    } catch (ImplausibleClockException e) {
      life.note("  refused"); // nothing was deleted, which the points in the table must show
      new StoredPoints(life.db()).check(model);
    }
  }

  private void retain(boolean isRight) {
    Map<Series, Map<Long, Summary>> expiring = model.expiring(life.now());
    model.mayExpire(life.now(), !life.intervals().isEmpty());
    RetentionReport report = life.db().retention().run(false, isRight, 1, TableListener.NONE);
    if (report.waiting() == 0) {
      model.expire(life.now());
    } else if (life.intervals().isEmpty()) {
      throw new AssertionError("rows wait to be rolled up, which nothing does");
    } else {
      life.note("  " + report.waiting() + " rows wait");
      new StoredPoints(life.db()).check(model);
    }
    if (!life.intervals().isEmpty() && !isCorrupt()) {
      model.haveExpired(expiring, life.intervals().contains("1h"), life.now());
    }
  }

  void corruptAndRepair() {
    Series series = draws.series();
    List<Long> known =
        model.all(series).keySet().stream()
            .filter(millis -> !model.hasExpired(series, millis, life.now()))
            .toList();
    if (known.isEmpty()) {
      return;
    }
    long millis = known.get(random.nextInt(known.size()));
    life.log("corrupt " + series + " at " + millis);
    life.db().flush();
    CorruptCells cells = new CorruptCells(life.db(), random);
    boolean isDuplicate = random.nextBoolean();
    if (isDuplicate) {
      long value = random.nextInt(100);
      model.maySet(series, millis, (double) value);
      cells.duplicate(series, millis, value);
      model.set(series, millis, (double) value);
    } else {
      corrupt(cells, series, LifeModel.hour(millis) * 1000 + random.nextInt(3_600_000));
    }
    if (random.nextBoolean() && !life.intervals().isEmpty()) {
      mayRoll();
      var unused = rollups().run(() -> false, done -> {}, rows -> {});
    }
    repair();
  }

  private void corrupt(CorruptCells cells, Series series, long millis) {
    if (model.all(series).containsKey(millis)) {
      return; // a second cell of a point is something else
    }
    boolean isTooLong = random.nextBoolean();
    life.note("  a value that is too " + (isTooLong ? "long" : "short") + " at " + millis);
    double readAs = isTooLong ? 0 : LifeModel.NONE;
    model.maySet(series, millis, readAs);
    corrupt.add(new Corrupt(series, millis));
    cells.corrupt(series, millis, isTooLong);
    model.set(series, millis, readAs);
  }

  /** Whether there may be a cell that is corrupt. */
  boolean isCorrupt() {
    return !corrupt.isEmpty();
  }

  void repair() {
    life.note("  fsck");
    model.mayRewrite(); // fsck compacts
    corrupt.forEach(each -> model.maySet(each.series, each.millis, LifeModel.NONE));
    CorruptCells.repair(life.db());
    corrupt.forEach(each -> model.set(each.series, each.millis, LifeModel.NONE));
    corrupt.clear();
  }
}
