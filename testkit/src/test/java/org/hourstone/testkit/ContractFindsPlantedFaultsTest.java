package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.KeyValueStoreContract.Atomics;
import org.hourstone.testkit.KeyValueStoreContract.Concurrency;
import org.hourstone.testkit.KeyValueStoreContract.Durability;
import org.hourstone.testkit.KeyValueStoreContract.Failures;
import org.hourstone.testkit.KeyValueStoreContract.Sizes;
import org.hourstone.testkit.KeyValueStoreContract.Traits;
import org.hourstone.testkit.KeyValueStoreContract.Writes;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * The contract finds each fault of a list that an earlier one missed, planted one at a time; and
 * the failure says what was lost. Of that list, faults against promises that stores no longer make
 * are left out: batches that are not atomic as a whole ({@code batch_chunks_100}, {@code _1000}),
 * scans that are no snapshot ({@code scan_no_snapshot_128}, {@code _500}), filters evaluated in the
 * client ({@code pushdown_claimed_not_done}); and {@code key_over_64k}, since such keys are now
 * refused by {@link org.hourstone.kv.Limits}.
 */
class ContractFindsPlantedFaultsTest {
  /** What is planted; one test at a time. */
  private static PlantedStore.Fault fault = PlantedStore.Fault.REPLACE_RACE;

  private static JournalFault journalFault = JournalFault.NONE;

  static class Planted extends KeyValueStoreContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      ModelStore sound = new ModelStore(PlantedStore.clock(fault, fixture.clock()));
      return new PlantedStore(sound, fault, fixture.clock());
    }
  }

  static class PlantedJournal extends JournalStoreContractTest.JournalContract {
    PlantedJournal() {
      super(isOfSharedStores(journalFault), journalFault);
    }
  }

  private static boolean isOfSharedStores(JournalFault fault) {
    return switch (fault) {
      case SHARED_INCREMENT_PROCESS_LOCK,
          SHARED_CAS_PROCESS_LOCK,
          STALE_CACHE_OTHER_PROCESS,
          MONOTONE_PER_PROCESS ->
          true;
      default -> false;
    };
  }

  /** Where a fault must be found, and what the failure must say. */
  private record Found(Class<?> part, String test, String message) {}

  private static Found expected(PlantedStore.Fault fault) {
    return switch (fault) {
      case REPLACE_RACE, REPLACE_RACE_SLOW2 ->
          new Found(Concurrency.class, "noAppendToAnObservedCellIsLostToAReplacement", "lost");
      case REPLACE_IGNORES_VALUE ->
          new Found(
              Atomics.class,
              "replaceCellsDoesNothingIfAnObservedCellHasAnotherValueOfTheSameTime",
              "replaced");
      case REPLACE_EQUAL_TIME_STAYS ->
          new Found(
              Atomics.class,
              "replaceCellsDoesNothingIfAnUnobservedCellOfItsTimeIsInTheWay",
              "replaced");
      case REPLACE_NOT_ATOMIC_PUT_FIRST ->
          new Found(
              Concurrency.class, "readersSeeARowAsItWasOrAsItWasReplaced", "saw both the old");
      case ROW_SPLIT_100, ROW_SPLIT_1000, GET_LONG_ROW_TORN, GET_EXACT_TORN ->
          new Found(Concurrency.class, "readersNeverSeeHalfAWideRow", "parts of several mutations");
      case SCAN_SPLITS_ROWS_4096, SCAN_SPLITS_ROWS_10000 ->
          new Found(Sizes.class, "aWideRowIsReadWhole", "cells of scan");
      case EXACT_IN_100 -> new Found(Sizes.class, "aWideRowIsReadWhole", "cells of exactly");
      case SCAN_STOPS_AT_5000, SCAN_STOPS_AT_10000 ->
          new Found(Sizes.class, "aLongScanDeliversEveryRowOnce", "rows of the scan");
      case DELETEROW_1000_CELLS ->
          new Found(Sizes.class, "deletingAWideRowLeavesNothing", "after the deletion");
      case DELETEROW_SPARES_EMPTY_QUALIFIER ->
          new Found(Writes.class, "aCellMayHaveTheEmptyQualifier", "after the deletion of the row");
      case DELETE_SPARES_FUTURE -> new Found(Writes.class, "aCellDatedAfterNowIsDeleted", "");
      case DELETEROW_SPARES_FUTURE ->
          new Found(Writes.class, "aCellDatedAfterNowIsDeleted", "the deleted row is gone");
      case EMPTY_QUALIFIER_LOST -> new Found(Writes.class, "aCellMayHaveTheEmptyQualifier", "");
      case EXACT_EMPTY_QUALIFIER ->
          new Found(Writes.class, "aCellMayHaveTheEmptyQualifier", "read by its qualifier");
      case APPEND_OVER_8K_CUT, APPEND_OVER_64K_CUT ->
          new Found(Sizes.class, "appendsAddUpToALongValue", "bytes kept");
      case VALUE_OVER_1M_CUT -> new Found(Sizes.class, "aValueMayBeAsLongAsTheLimit", "bytes kept");
      case FAMILY_CASE_INSENSITIVE, FAMILY_UNDERSCORE_COLLISION ->
          new Found(Sizes.class, "familiesWithSimilarNamesShareNoRows", "just created");
      case CURSOR_LEAKS_CONNECTION ->
          new Found(Sizes.class, "thousandsOfCursorsMayBeOpenedAndClosed", "no connection left");
      case KEY_OVER_32K -> new Found(Sizes.class, "aRowKeyMayBeAsLongAsTheLimit", "too long");
      case INCREMENT_KEEPS_TIME ->
          new Found(Writes.class, "anIncrementGivesTheCellItsOwnTime", "time of the second");
      case TIME_SECONDS -> new Found(Writes.class, "assignedTimesAreMilliseconds", "");
      case EMPTY_BATCH_ANY_FAMILY, MULTIGET_EMPTY_MISSING_FAMILY ->
          new Found(Writes.class, "aMissingFamilyIsRejectedEvenIfThereIsNothingToDo", "");
    };
  }

  private static Found expected(JournalFault fault) {
    String survives = "whatWasAcknowledgedSurvivesTheDeathOfTheProcess";
    return switch (fault) {
      case NONE -> throw new IllegalArgumentException("no fault");
      case FORGETFUL -> new Found(Durability.class, survives, "acknowledged");
      case LOST_CAS -> new Found(Durability.class, survives, "set by compare-and-set");
      case LOST_REPLACE -> new Found(Durability.class, survives, "a cell was replaced");
      case LOST_DELETE -> new Found(Durability.class, survives, "a cell was deleted");
      case COMMIT_FAILURE_NOT_APPLIED ->
          new Found(
              Failures.class, "theOutcomeOfAFailedWriteIsTrue", "was reported as NOT_APPLIED");
      case BATCH_NOT_APPLIED ->
          new Found(
              Failures.class,
              "theOutcomesOfAFailedBatchAreTrue",
              "place 0 of 6 after a write that failed at attempt 2 and was reported as NOT_APPLIED");
      case BATCH_APPLIED ->
          new Found(
              Failures.class,
              "theOutcomesOfAFailedBatchAreTrue",
              "place 1 of 6 after a write that failed at attempt 1 and was reported as applied");
      case BATCH_REVERSED ->
          new Found(
              Failures.class,
              "theOutcomesOfAFailedBatchAreTrue",
              "place 0 of 6 after a write that failed at attempt 2 and was reported as NOT_APPLIED");
      case BATCH_SHORT ->
          new Found(
              Failures.class, "theOutcomesOfAFailedBatchAreTrue", "outcomes of a batch of 6 rows");
      case MONOTONE_LOST_ON_REOPEN ->
          new Found(Traits.class, "monotonicWriteTimesOutliveTheHandle", "clock set back");
      case MONOTONE_PER_PROCESS ->
          new Found(Traits.class, "monotonicWriteTimesHoldAcrossHandles", "two handles");
      case SHARED_INCREMENT_PROCESS_LOCK ->
          new Found(
              Durability.class,
              "theAtomicPrimitivesOfASharedStoreAreAtomicAcrossProcesses",
              "increments");
      case SHARED_CAS_PROCESS_LOCK ->
          new Found(
              Durability.class,
              "theAtomicPrimitivesOfASharedStoreAreAtomicAcrossProcesses",
              "two processes");
      case STALE_CACHE_OTHER_PROCESS ->
          new Found(
              Durability.class, "aSharedStoreWithAWarmCacheSeesWhatAnotherHandleWrites", "get");
    };
  }

  @ParameterizedTest
  @EnumSource
  void finds(PlantedStore.Fault planted) {
    fault = planted;
    Found expected = expected(planted);
    assertFound(expected, ContractRun.of(Planted.class, expected.part(), expected.test()));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void finds(JournalFault planted) {
    journalFault = planted;
    Found expected = expected(planted);
    assertFound(expected, ContractRun.of(PlantedJournal.class, expected.part(), expected.test()));
  }

  private static void assertFound(Found expected, ContractRun run) {
    Map<String, Throwable> failures = run.failures();
    assertThat(failures).containsKey(expected.test());
    assertThat(failures.get(expected.test())).hasMessageContaining(expected.message());
  }
}
