package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

class RocksDbErrorsTest {
  private final RocksDbErrors errors = new RocksDbErrors(Path.of("/var/lib/x"));

  @ParameterizedTest
  @CsvSource({
    "Busy, NOT_APPLIED, NOT_APPLIED",
    "TimedOut, NOT_APPLIED, NOT_APPLIED",
    "TryAgain, NOT_APPLIED, NOT_APPLIED",
    "InvalidArgument, REJECTED, REJECTED",
    "NotSupported, REJECTED, REJECTED",
    "Corruption, REJECTED, REJECTED",
    "IOError, UNKNOWN, NOT_APPLIED",
    "Incomplete, UNKNOWN, NOT_APPLIED",
    "Aborted, UNKNOWN, NOT_APPLIED",
    "ShutdownInProgress, UNKNOWN, NOT_APPLIED",
    "Undefined, UNKNOWN, NOT_APPLIED"
  })
  void theStatusTellsTheOutcome(Status.Code code, Outcome writing, Outcome reading) {
    RocksDBException failure = failure(code, Status.SubCode.None, "disk\non fire");
    assertThat(errors.write(failure).outcome()).isEqualTo(writing);
    assertThat(errors.read("cannot read", failure).outcome()).isEqualTo(reading);
    assertThat(errors.write(failure))
        .hasMessage("RocksDB store /var/lib/x: cannot write: " + code + ": disk on fire")
        .hasCause(failure);
  }

  @Test
  void aFailureWithoutStatusIsNotTakenForMoreThanItSays() {
    RocksDBException failure = new RocksDBException("what");
    assertThat(errors.write(failure).outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(errors.read("cannot read", failure))
        .hasMessage("RocksDB store /var/lib/x: cannot read: what");
  }

  @Test
  void aFullDiskIsCalledThat() {
    RocksDBException failure = failure(Status.Code.IOError, Status.SubCode.NoSpace, "appending");
    assertThat(errors.write(failure))
        .hasMessage(
            "RocksDB store /var/lib/x: cannot write: no space left on the device: appending");
  }

  @Test
  void aDirectoryThatCannotBeUsedIsNamedWithTheReason() {
    assertThat(errors.directory(new AccessDeniedException("/var/lib/x/native")))
        .hasMessage(
            "RocksDB store /var/lib/x: cannot use the directory:"
                + " /var/lib/x/native: permission denied");
    assertThat(errors.directory(new FileSystemException("/var", null, "Read-only file system")))
        .hasMessageEndingWith("/var: Read-only file system");
    assertThat(errors.directory(new IOException("odd\nthing"))).hasMessageEndingWith(": odd thing");
  }

  private static RocksDBException failure(
      Status.Code code, Status.SubCode subCode, String message) {
    return new RocksDBException(message, new Status(code, subCode, message));
  }
}
