package org.hourstone.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.kv.Backups;
import org.hourstone.kv.DiskUsage;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.LoggedBy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiskReserveTest {
  private static final long MB = 1L << 20;
  private static final long GB = 1L << 30;

  private static final class Disk implements DiskUsage {
    private long free;
    private long total;
    private boolean isLost;
    private volatile @Nullable Error error;
    private volatile Thread looker = Thread.currentThread();
    private final CountDownLatch thrown = new CountDownLatch(1);

    @Override
    public long bytes() {
      throw new AssertionError("not needed");
    }

    @Override
    public Space space() {
      Error injected = error;
      if (injected != null) {
        looker = Thread.currentThread();
        thrown.countDown();
        throw injected;
      }
      if (isLost) {
        throw new StoreException(Outcome.NOT_APPLIED, "the directory is missing");
      }
      return new Space(free, total);
    }
  }

  private final Disk disk = new Disk();
  private final AtomicLong nanos = new AtomicLong(-TimeUnit.SECONDS.toNanos(20)); // passes zero
  private final LoggedBy log = LoggedBy.thisThread("org.hourstone.store");

  @AfterEach
  void releaseLog() {
    log.close();
  }

  private DiskReserve reserve(Optional<Long> configured) {
    return new DiskReserve(disk, "disk:/data", configured, nanos::get);
  }

  @Test
  void pointsAreRefusedWhileLessThanTheReserveIsFreeAndTheLogHasBothEnds() {
    disk.total = 100 * GB;
    disk.free = 20 * MB;
    DiskReserve reserve = reserve(Optional.of(20 * MB));
    reserve.admit();
    assertThat(reserve.refusal()).isNull();
    assertThat(log.lines()).isEmpty();

    disk.free--;
    reserve.look();
    String reason =
        "the disk is nearly full: 19 MB of 100 GB are free for disk:/data, the reserve is 20 MB"
            + " (hourstone.disk.reserve)";
    assertThat(reserve.refusal()).isEqualTo(reason);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(reserve::admit)
          .isInstanceOfSatisfying(
              DiskReserveException.class,
              e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED))
          .hasMessage("refused: " + reason);
    }
    assertThat(log.lines()).containsExactly("WARNING new points are refused: " + reason);

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(35));
    disk.free = 22 * MB - 1;
    reserve.look();
    assertThatThrownBy(reserve::admit).hasMessageContaining("21 MB of 100 GB are free");
    disk.free++;
    reserve.look();
    reserve.admit();
    assertThat(reserve.refusal()).isNull();
    assertThat(log.lines())
        .hasSize(2)
        .last()
        .isEqualTo(
            "INFO new points are accepted again, after 35 s and 4 refusals: 22 MB are free for"
                + " disk:/data");
  }

  @Test
  void aDiskThatIsNearlyFullAtTheBeginningIsKnownAtOnce() {
    disk.total = 10 * GB;
    DiskReserve reserve = reserve(Optional.empty());
    assertThatThrownBy(reserve::admit).hasMessageContaining("0 KB of 10 GB are free");
  }

  /** Sizes in megabytes. */
  @ParameterizedTest
  @CsvSource({"100, 10", "5120, 512", "10240, 1024", "51200, 1024", "102400, 2048"})
  void theDefaultIsOneGigabyteOrTwoPercentAndNoMoreThanATenth(long total, long expected) {
    disk.total = total * MB;
    disk.free = total * MB;
    DiskSpace space = reserve(Optional.empty()).space();
    assertThat(space).isEqualTo(new DiskSpace(total * MB, total * MB, expected * MB));
  }

  @Test
  void withoutAReserveNothingIsRefused() {
    disk.total = GB;
    DiskReserve reserve = reserve(Optional.of(0L));
    reserve.admit();
    assertThat(reserve.space()).isEqualTo(new DiskSpace(0, GB, 0));
  }

  @Test
  void aDiskThatIsNotKnownChangesNothingAndIsLoggedOnce() {
    disk.isLost = true;
    DiskReserve reserve = reserve(Optional.of(MB));
    reserve.look();
    assertThatCode(reserve::admit).doesNotThrowAnyException();
    assertThat(reserve.space()).isNull();
    String line = "WARNING the free space of the disk is not known: the directory is missing";
    assertThat(log.lines()).containsExactly(line);

    disk.isLost = false;
    reserve.look();
    disk.isLost = true;
    reserve.look();
    assertThatThrownBy(reserve::admit).isInstanceOf(DiskReserveException.class);
    assertThat(log.lines()).hasSize(3).last().isEqualTo(line);
  }

  /** Else points would be refused, or not refused, until the process ends. */
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void theDiskIsLookedAtAlsoAfterAnError() throws InterruptedException {
    disk.total = GB;
    disk.free = GB;
    try (DiskReserve reserve = reserve(Optional.of(GB))) {
      disk.error = new OutOfMemoryError("injected");
      reserve.start();
      disk.thrown.await();
      disk.free = 0;
      disk.error = null;
      while (reserve.refusal() == null && disk.looker.isAlive()) {
        Thread.onSpinWait();
      }
      assertThat(reserve.refusal()).isNotNull();
    }
  }

  @Test
  void aStoreWithoutADiskHasNoReserve() {
    DiskReserve none = new DiskReserve(null, "memory:", Optional.of(GB), nanos::get);
    none.start();
    none.look();
    none.admit();
    assertThat(none.space()).isNull();
    none.close();
  }

  /** Records what it is asked for. */
  private static final class AskedBackups implements Backups {
    private final List<Long> reserves = new ArrayList<>();

    @Override
    public Backup create(Path directory, int keep, long reserve, Watch watch) {
      reserves.add(reserve);
      return new Backup(keep, 0, 0, 0, List.of());
    }

    @Override
    public Optional<Instant> latest(Path directory) {
      return Optional.of(Instant.EPOCH);
    }
  }

  @Test
  void backupsLeaveTheReserveFree() {
    disk.total = 100 * GB;
    disk.free = 50 * GB;
    AskedBackups asked = new AskedBackups();
    Path directory = Path.of("backups");
    Backups backups = reserve(Optional.of(7L)).respectedBy(asked);

    assertThat(backups.create(directory, 3).generation()).isEqualTo(3);
    backups.create(directory, 0, 8, Backups.Watch.none());
    reserve(Optional.empty()).respectedBy(asked).create(directory, 0);
    reserve(Optional.of(0L)).respectedBy(asked).create(directory, 0);
    disk.isLost = true;
    reserve(Optional.of(7L)).respectedBy(asked).create(directory, 0);
    assertThat(asked.reserves).containsExactly(7L, 8L, 2 * GB, 0L, 0L);
    assertThat(backups.latest(directory)).contains(Instant.EPOCH);
  }
}
