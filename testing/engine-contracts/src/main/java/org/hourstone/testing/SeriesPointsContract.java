package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.error.RequestException;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.testkit.store.MortalStore;
import org.hourstone.uid.UidKind;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;
import org.junit.jupiter.api.Test;

/** Points that are gathered by series handles: each handed over is stored or failed once. */
public abstract class SeriesPointsContract extends TsdbCase {
  private static final int SERIES = 7;
  private static final int MANY = 20_000;

  private final Outcomes outcomes = new Outcomes();

  /** How often each point was stored, and failed. */
  static final class Outcomes implements Receipt {
    final Map<Long, Integer> stored = new ConcurrentHashMap<>();
    final Map<Long, Integer> failed = new ConcurrentHashMap<>();

    @Override
    public void stored(long token) {
      stored.merge(token, 1, Integer::sum);
    }

    @Override
    public void failed(long token, RuntimeException reason) {
      failed.merge(token, 1, Integer::sum);
    }

    int count() {
      return stored.size() + failed.size();
    }

    void areOneEach() {
      assertThat(stored.values()).allMatch(times -> times == 1);
      assertThat(failed.values()).allMatch(times -> times == 1);
      assertThat(stored.keySet()).noneMatch(failed::containsKey);
    }
  }

  @Test
  final void pointsAreStoredOnceTheyAreSent() {
    SeriesWriter series = db.writer().series("m", WEB01.asMap());
    SeriesPoints points = db.writer().seriesPoints(outcomes);
    points.add(series, HOUR, 1L, 1);
    points.add(series, HOUR + 1, 2.5f, 2);
    points.add(series, (HOUR + 2) * 1000 + 1, 0.1, 3);

    db.flush();

    assertThat(points.size()).isEqualTo(3);
    assertThat(outcomes.count()).isZero();
    points.send();
    db.flush();
    assertThat(points.size()).isZero();
    outcomes.areOneEach();
    assertThat(outcomes.stored).containsOnlyKeys(1L, 2L, 3L);
    assertThat(ask(query("sum:m{host=*}"))).containsExactly("m{host=web01}[]: 0=1 1=2.5 2.001=0.1");
    points.send();
    assertThat(outcomes.count()).isEqualTo(3);
  }

  @Test
  final void manyPointsAreHandedOverBeforeTheyAreSent() {
    SeriesWriter[] handles = handles(db);
    SeriesPoints points = db.writer().seriesPoints(outcomes);
    for (int i = 0; i < MANY; i++) {
      points.add(handles[i % SERIES], HOUR + i / SERIES, i, i);
    }

    db.flush();

    assertThat(points.size()).isBetween(1, 5_000);
    assertThat(outcomes.stored).hasSize(MANY - points.size());
    points.send();
    db.flush();
    outcomes.areOneEach();
    assertThat(outcomes.stored).hasSize(MANY);
    for (int s = 0; s < SERIES; s++) {
      StringBuilder expected = new StringBuilder("m{host=h" + s + "}[]:");
      for (int i = s; i < MANY; i += SERIES) {
        expected.append(' ').append(i / SERIES).append('=').append(i);
      }
      assertThat(ask(query("sum:m{host=h" + s + "}"))).containsExactly(expected.toString());
    }
  }

  /** Each thread has points of its own, of the same handles. */
  @Test
  final void severalThreadsGatherPointsOfOneHandle() throws Exception {
    int threads = 4;
    int each = 700;
    SeriesWriter handle = handles(db)[0];
    ConcurrentRunner.run(
        threads,
        thread ->
            () -> {
              SeriesPoints points = db.writer().seriesPoints(outcomes);
              for (int i = 0; i < each; i++) {
                int number = thread * each + i;
                points.add(handle, HOUR + number, number, number);
                if (i % 100 == 0) {
                  points.send();
                  handle.put(HOUR + number, number, outcomes, MANY + number);
                }
              }
              points.send();
              return null;
            });

    db.flush();

    outcomes.areOneEach();
    assertThat(outcomes.stored).hasSize(threads * (each + each / 100));
    StringBuilder expected = new StringBuilder("m{host=h0}[]:");
    for (int i = 0; i < threads * each; i++) {
      expected.append(' ').append(i).append('=').append(i);
    }
    assertThat(ask(query("sum:m{host=*}"))).containsExactly(expected.toString());
  }

  @Test
  final void theLastOfSeveralPointsOfOneTimeIsRead() {
    assumeThat(store.traits()).contains(Trait.MONOTONIC_WRITE_TIMES);
    SeriesWriter handle = handles(db)[0];
    SeriesPoints points = db.writer().seriesPoints(outcomes);
    for (int i = 0; i < 3_000; i++) {
      points.add(handle, HOUR, i, i);
    }
    points.send();

    db.flush();

    assertThat(ask(query("sum:m{host=*}"))).containsExactly("m{host=h0}[]: 0=2999");
    assertThat(outcomes.stored).hasSize(3_000);
  }

  @Test
  final void pointsThatMayNotBeWrittenAreRefusedAndTheOthersStored() {
    SeriesWriter handle = handles(db)[0];
    SeriesPoints points = db.writer().seriesPoints(outcomes);
    points.add(handle, HOUR, 1L, 1);

    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(() -> points.add(handle, -1, 1, 2));
    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(() -> points.add(handle, HOUR, Double.NaN, 3));
    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(() -> points.add(handle, HOUR, Float.POSITIVE_INFINITY, 4));

    points.add(handle, HOUR + 1, 2L, 5);
    points.send();
    db.flush();
    outcomes.areOneEach();
    assertThat(outcomes.stored).containsOnlyKeys(1L, 5L);
    assertThat(outcomes.failed).isEmpty();
  }

  @Test
  final void allPointsFailOfAStoreThatFails() {
    MortalStore mortal = new MortalStore(store);
    db.close();
    db = Tsdb.over(mortal, db.engine().options().with(MemorySettings.WRITE_ATTEMPTS, "1"));
    SeriesWriter[] handles = handles(db);
    db.flush();
    SeriesPoints points = db.writer().seriesPoints(outcomes);
    mortal.die();
    for (int i = 0; i < MANY; i++) {
      points.add(handles[i % SERIES], HOUR + i / SERIES, i, i);
    }
    points.send();
    try {
      db.flush();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining(MortalStore.DEAD);
    }

    mortal.recover();

    outcomes.areOneEach();
    assertThat(outcomes.failed).hasSize(MANY);
    points.add(handles[0], HOUR, 1L, MANY);
    points.send();
    db.flush();
    assertThat(outcomes.stored).containsOnlyKeys((long) MANY);
  }

  @Test
  final void pointsThatAreSentAfterClosingFail() {
    SeriesWriter handle = handles(db)[0];
    SeriesPoints points = db.writer().seriesPoints(outcomes);
    for (int i = 0; i < 3_000; i++) {
      points.add(handle, HOUR + i, i, i);
    }

    db.close();

    int left = points.size();
    assertThat(left).isPositive();
    assertThat(outcomes.stored).hasSize(3_000 - left);
    assertThat(outcomes.failed).isEmpty();
    points.send();
    outcomes.areOneEach();
    assertThat(outcomes.failed).hasSize(left);
    assertThat(points.size()).isZero();
  }

  @Test
  final void namesThatChangeBeforePointsAreSentAreResolvedAgain() {
    SeriesWriter handle = handles(db)[0];
    SeriesPoints points = db.writer().seriesPoints(outcomes);
    for (int i = 0; i < 10; i++) {
      points.add(handle, HOUR + i / 2, i, i);
    }

    db.uids().rename(UidKind.METRIC, "m", "renamed");
    points.send();
    db.flush();

    outcomes.areOneEach();
    assertThat(outcomes.stored).hasSize(10);
    assertThat(ask(query("sum:m{host=*}"))).containsExactly("m{host=h0}[]: 0=1 1=3 2=5 3=7 4=9");
    assertThat(ask(query("sum:renamed{host=*}"))).isEmpty();
  }

  @Test
  final void pointsFailWhoseNamesAreGoneBeforeTheyAreSent() {
    handles(db);
    with(Settings.AUTO_CREATE_METRICS, "false");
    SeriesWriter handle = handles(db)[0];
    SeriesPoints points = db.writer().seriesPoints(outcomes);
    points.add(handle, HOUR, 1L, 1);
    points.add(handle, HOUR + 1, 2L, 2);

    db.uids().rename(UidKind.METRIC, "m", "renamed");
    points.send();

    outcomes.areOneEach();
    assertThat(outcomes.failed).containsOnlyKeys(1L, 2L);
    assertThat(points.size()).isZero();
  }

  private static SeriesWriter[] handles(Tsdb db) {
    SeriesWriter[] handles = new SeriesWriter[SERIES];
    for (int i = 0; i < SERIES; i++) {
      handles[i] = db.writer().series("m", Map.of("host", "h" + i));
    }
    return handles;
  }
}
