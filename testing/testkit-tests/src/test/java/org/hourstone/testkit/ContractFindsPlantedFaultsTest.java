package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.KeyValueStoreContract.Durability;
import org.hourstone.testkit.KeyValueStoreContract.Extensions;
import org.hourstone.testkit.KeyValueStoreContract.Failures;
import org.hourstone.testkit.KeyValueStoreContract.Lifecycle;
import org.hourstone.testkit.KeyValueStoreContract.ReplacementRaces;
import org.hourstone.testkit.KeyValueStoreContract.Replacements;
import org.hourstone.testkit.KeyValueStoreContract.RowAtomicity;
import org.hourstone.testkit.KeyValueStoreContract.Scans;
import org.hourstone.testkit.KeyValueStoreContract.SharedHandles;
import org.hourstone.testkit.KeyValueStoreContract.Sizes;
import org.hourstone.testkit.KeyValueStoreContract.Traits;
import org.hourstone.testkit.KeyValueStoreContract.WriteTimes;
import org.hourstone.testkit.KeyValueStoreContract.Writes;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * The contract finds each fault of a list that an earlier one missed, planted one at a time; and
 * the failure says what was lost. Some of these broke promises that stores no longer make. Each is
 * planted against the promise that took its place: a batch need not be atomic, but is refused as a
 * whole before any effect ({@code BATCH_CHUNKS}); a scan need not be a snapshot, but delivers what
 * stays once ({@code SCAN_NO_SNAPSHOT}); a filter may be evaluated in the client, but {@link
 * org.hourstone.kv.ScanCounts} says so ({@code PUSHDOWN_CLAIMED_NOT_DONE}); long keys are refused
 * at the SPI's {@linkplain org.hourstone.kv.Limits limit}, not at the store's ({@code
 * KEY_OVER_64K}).
 */
class ContractFindsPlantedFaultsTest {
  /** Names of faults that make a call wait for ever. */
  private static final String HANGS = ".*(WAITS|NEVER).*";

  private static final String HUNG_CALL = PlantedStore.class.getName() + ".waitForEver";

  /** What is planted; one test at a time. */
  private static PlantedFault fault = PlantedFault.REPLACE_RACE;

  private static JournalFault journalFault = JournalFault.NONE;

  /** Of each test of {@link Planted}. */
  private static Duration timeLimit = new ModelStoreContractTest().timeLimit();

  static class Planted extends KeyValueStoreContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      ModelStore sound = new ModelStore(PlantedStore.clock(fault, fixture.clock()));
      return new PlantedStore(sound, fault, fixture.clock());
    }

    @Override
    protected Duration timeLimit() {
      return timeLimit;
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
          SHARED_REPLACE_PROCESS_LOCK,
          SHARED_MIXED_PROCESS_LOCK,
          SHARED_PIN_PROCESS_LOCK,
          MISSING_FAMILY_CACHED,
          STALE_CACHE_OTHER_PROCESS,
          MONOTONE_PER_PROCESS ->
          true;
      default -> false;
    };
  }

  /** Where a fault must be found, and what the failure must say. */
  private record Found(Class<?> part, String test, String message) {}

  private static Found expected(PlantedFault fault) {
    return switch (fault) {
      case REPLACE_RACE, REPLACE_RACE_SLOW2 ->
          new Found(ReplacementRaces.class, "noAppendToAnObservedCellIsLostToAReplacement", "lost");
      case REPLACE_IGNORES_VALUE ->
          new Found(
              Replacements.class,
              "replaceCellsDoesNothingIfAnObservedCellHasAnotherValueOfTheSameTime",
              "replaced");
      case REPLACE_EQUAL_TIME_STAYS ->
          new Found(
              Replacements.class,
              "replaceCellsDoesNothingIfAnUnobservedCellOfItsTimeIsInTheWay",
              "replaced");
      case REPLACE_NOT_ATOMIC_PUT_FIRST ->
          new Found(
              ReplacementRaces.class, "readersSeeARowAsItWasOrAsItWasReplaced", "saw both the old");
      case ROW_SPLIT_100, ROW_SPLIT_1000, GET_LONG_ROW_TORN, GET_EXACT_TORN ->
          new Found(
              RowAtomicity.class, "readersNeverSeeHalfAWideRow", "parts of several mutations");
      case SCAN_SPLITS_ROWS_4096, SCAN_SPLITS_ROWS_10000 ->
          new Found(Sizes.class, "aWideRowIsReadWhole", "cells of scan");
      case EXACT_IN_100 -> new Found(Sizes.class, "aWideRowIsReadWhole", "cells of exactly");
      case SCAN_STOPS_AT_5000, SCAN_STOPS_AT_10000 ->
          new Found(Sizes.class, "aLongScanDeliversEveryRowOnce", "rows of the scan");
      case DELETEROW_1000_CELLS ->
          new Found(Sizes.class, "deletingAWideRowLeavesNothing", "after the deletion");
      case DELETEROW_SPARES_EMPTY_QUALIFIER ->
          new Found(Writes.class, "aCellMayHaveTheEmptyQualifier", "after the deletion of the row");
      case DELETE_SPARES_FUTURE -> new Found(WriteTimes.class, "aCellDatedAfterNowIsDeleted", "");
      case DELETEROW_SPARES_FUTURE ->
          new Found(WriteTimes.class, "aCellDatedAfterNowIsDeleted", "the deleted row is gone");
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
          new Found(WriteTimes.class, "anIncrementGivesTheCellItsOwnTime", "time of the second");
      case TIME_SECONDS -> new Found(WriteTimes.class, "assignedTimesAreMilliseconds", "");
      case EMPTY_BATCH_ANY_FAMILY, MULTIGET_EMPTY_MISSING_FAMILY ->
          new Found(Writes.class, "aMissingFamilyIsRejectedEvenIfThereIsNothingToDo", "");
      case BATCH_CHUNKS_100, BATCH_CHUNKS_1000 ->
          new Found(Writes.class, "aLongBatchIsRefusedBeforeAnyEffect", "whose last element");
      case SCAN_NO_SNAPSHOT_128, SCAN_NO_SNAPSHOT_500 ->
          new Found(Scans.class, "rowsThatStayAreDeliveredOnceByALongScan", "rows of the scan");
      case PUSHDOWN_CLAIMED_NOT_DONE ->
          new Found(
              Extensions.class, "scanCountsTellWhatWasLookedAtAndWhatCame", "rows returned with");
      case KEY_OVER_64K -> new Found(Sizes.class, "aRowKeyMayBeAsLongAsTheLimit", "beyond a limit");
      case CLOSE_REFUSES_WHILE_CURSORS_OPEN ->
          new Found(Lifecycle.class, "cursorsEndWithAnErrorWhenTheStoreIsClosed", "are open");
      case CLOSE_FAILS ->
          new Found(Lifecycle.class, "closingWaitsForThoseWhoReadAndWrite", "can't be closed");
      case CLOSE_WAITS_FOR_CURSORS ->
          new Found(Lifecycle.class, "cursorsEndWithAnErrorWhenTheStoreIsClosed", "");
      case CLOSE_NEVER_RETURNS ->
          new Found(Lifecycle.class, "familiesAreListedInOrder", "closing the store of");
      case ENSURE_NEVER_RETURNS ->
          new Found(Lifecycle.class, "familiesAreListedInOrder", "opening the store for");
      case WRITE_WAITS_AFTER_A_FAILED_ONE ->
          new Found(Writes.class, "writesToAMissingFamilyAreRejectedNamingIt", "");
    };
  }

  private static Found expected(JournalFault fault) {
    String survives = "whatWasAcknowledgedSurvivesTheDeathOfTheProcess";
    return switch (fault) {
      case NONE -> throw new IllegalArgumentException("no fault");
      case FORGETFUL -> new Found(Durability.class, survives, "acknowledged");
      case LOST_CAS -> new Found(Durability.class, survives, "set by compare-and-set");
      case LOST_REPLACE -> new Found(Durability.class, survives, "a cell was replaced");
      case LOST_PUTIFNEWER -> new Found(Durability.class, survives, "the dated cell");
      case LONG_BATCH_NOT_APPLIED ->
          new Found(
              Failures.class,
              "theOutcomesOfALongFailedBatchAreTrue",
              "place 0 of 2500 after a write that failed at attempt 2 and was reported as NOT_APPLIED");
      case READ_FAILURE_UNKNOWN -> new Found(Failures.class, "aFailedReadIsNotApplied", "");
      case UNKNOWN_PARAMETER_IGNORED ->
          new Found(Lifecycle.class, "anUnknownParameterOfTheUriIsRefused", "hourstone.unknown");
      case SHARED_REPLACE_PROCESS_LOCK ->
          new Found(
              SharedHandles.class,
              "noAppendToAnObservedCellIsLostToAReplacementOfAnotherHandle",
              "kept beside replacements");
      case SHARED_MIXED_PROCESS_LOCK ->
          new Found(SharedHandles.class, "noAppendBesideAPutIsLostToAnotherHandle", "beside a put");
      case SHARED_PIN_PROCESS_LOCK ->
          new Found(SharedHandles.class, "theNewestPutIfNewerOfTwoHandlesStays", "acknowledged");
      case MISSING_FAMILY_CACHED ->
          new Found(SharedHandles.class, "aFamilyThatAnotherHandleCreatesIsThere", "no family");
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
  @EnumSource(mode = Mode.MATCH_NONE, names = HANGS)
  void finds(PlantedFault planted) {
    fault = planted;
    Found expected = expected(planted);
    assertFound(expected, ContractRun.failing(Planted.class, expected.part(), expected.test()));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ANY, names = HANGS)
  void endsAHangAndShowsWhere(PlantedFault planted) {
    fault = planted;
    Found expected = expected(planted);
    Duration usual = timeLimit;
    try {
      ContractRun run;
      timeLimit = Duration.ofMillis(100);
      do {
        timeLimit = timeLimit.multipliedBy(2);
        run = ContractRun.of(Planted.class, expected.part(), expected.test());
      } while (isEndedTooSoon(run.failures().get(expected.test()), usual));

      assertFound(expected, run);
      assertThat(run.failures().get(expected.test()))
          .hasMessageContaining(expected.test() + " has not ended after ")
          .hasMessageContaining(HUNG_CALL);
    } finally {
      timeLimit = usual;
    }
  }

  /** On a busy machine the time may be over before the call begins that hangs. */
  private static boolean isEndedTooSoon(@Nullable Throwable failure, Duration usual) {
    String message = failure == null ? "" : String.valueOf(failure.getMessage());
    return message.contains("has not ended")
        && !message.contains(HUNG_CALL)
        && timeLimit.compareTo(usual) < 0;
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void finds(JournalFault planted) {
    journalFault = planted;
    Found expected = expected(planted);
    assertFound(
        expected, ContractRun.failing(PlantedJournal.class, expected.part(), expected.test()));
  }

  private static void assertFound(Found expected, ContractRun run) {
    Map<String, Throwable> failures = run.failures();
    assertThat(failures).containsKey(expected.test());
    assertThat(failures.get(expected.test())).hasMessageContaining(expected.message());
  }
}
