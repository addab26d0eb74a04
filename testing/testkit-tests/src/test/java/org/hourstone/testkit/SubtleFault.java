package org.hourstone.testkit;

import org.hourstone.testkit.KeyValueStoreContract.Atomics;
import org.hourstone.testkit.KeyValueStoreContract.Extensions;
import org.hourstone.testkit.KeyValueStoreContract.Filters;
import org.hourstone.testkit.KeyValueStoreContract.Reads;
import org.hourstone.testkit.KeyValueStoreContract.Replacements;
import org.hourstone.testkit.KeyValueStoreContract.RowAtomicity;
import org.hourstone.testkit.KeyValueStoreContract.Scans;
import org.hourstone.testkit.KeyValueStoreContract.Sizes;
import org.hourstone.testkit.KeyValueStoreContract.WriteTimes;

/**
 * The faults of a {@link SubtleStore}: those that need many cells, other cells beside the one that
 * is written, a later year or another thread to be seen.
 */
enum SubtleFault {
  REPLACE_COMPARES_1000(Replacements.class, "aWideReplacementComparesEveryCell", "has changed"),
  REPLACE_DONE_IS_TRUE(Replacements.class, "aReplacementThatIsThereAlreadyIsStillMade", ""),
  REPLACE_VALUE_FIRST_64(Replacements.class, "aReplacementComparesWholeValues", "600 bytes"),
  REPLACE_TIME_32_BITS(Replacements.class, "aReplacementComparesExactTimes", "time 1000 observed"),
  REPLACE_TIME_NOT_LATER(
      Replacements.class, "aReplacementComparesTimesThatAreEarlierNow", "time 5000 observed"),
  REPLACE_DATED_ZERO_IS_NOW(Replacements.class, "aReplacementMayBeDatedZero", "write time"),
  CAS_SAME_KEEPS_TIME(Atomics.class, "aCompareAndSetToTheSameValueIsAWrite", ""),
  PIN_SKIPS_REST(
      WriteTimes.class, "aPutIfNewerThatStaysBehindKeepsTheOtherChanges", "stays behind"),
  PIN_RACE(WriteTimes.class, "theNewestOfConcurrentPutsIfNewerStays", ""),
  PIN_NOT_MONOTONE(WriteTimes.class, "aMutationWithADatedPutIsLaterThanTheRow", "clock set back"),
  TIME_41_BITS(WriteTimes.class, "writeTimesAreKeptInEveryYear", "in 2040"),
  SCAN_SPLITS_ROWS_AT_1MB(
      Sizes.class, "aRowOfManyLargeCellsIsDeliveredInOnePiece", "cells of each row"),
  FAMILY_CUT_60(Sizes.class, "familiesWithSimilarNamesShareNoRows", "just created"),
  CHECK_NEVER_CALLED(Scans.class, "theCheckOfAScanEndsIt", "calls of the check"),
  CHECK_OF_FILTERED_ONLY(Scans.class, "theCheckOfAScanEndsIt", "calls of the check"),
  CHECK_EXCEPTION_ENDS_SCAN(Scans.class, "theCheckOfAScanEndsIt", "end of a scan by its check"),
  CHECK_EXCEPTION_WRAPPED(Scans.class, "theCheckOfAScanEndsIt", "end of a scan by its check"),
  FETCH_PLUS_ONE_OVERFLOWS(Scans.class, "anyFetchSizeDeliversEveryRow", "in fetches of 2147483647"),
  PATTERN_100_VALUES(Filters.class, "aPatternMayNameManyValuesAndPairs", "1500 values in pair 0"),
  PATTERN_FIRST_8_PAIRS(
      Filters.class, "aPatternMayNameManyValuesAndPairs", "1500 values in pair 8"),
  FUZZY_FIRST_64(Filters.class, "aFuzzyRowMayBeLong", "fuzzy"),
  EXACT_IN_32766(Reads.class, "exactlyMayNameManyCellsAndTheEmptyOne", "a get that names 40001"),
  RANGE_EMPTY_STOP_UNBOUNDED(Reads.class, "aRangeOfColumnsUntilTheEmptyQualifierIsEmpty", ""),
  ROW_SPLIT_20000(
      RowAtomicity.class, "readersNeverSeeHalfOfAVeryLongMutation", "several mutations"),
  DELETEROW_STALE_LIST(RowAtomicity.class, "aRowDeletionLeavesNoHalfOfAMutation", "written"),
  STALE_OTHER_THREADS(
      RowAtomicity.class, "aThreadSeesWhatWasAcknowledgedToAnother", "of another thread"),
  CHECKPOINT_ONE_FAMILY(Extensions.class, "aCheckpointIsTheWholeStoreAtOneMoment", "in a copy"),
  CHECKPOINT_IN_PAGES(Extensions.class, "aCheckpointIsTheWholeStoreAtOneMoment", "ahead of it"),
  CHECKPOINT_TIMES_NOW(Extensions.class, "aCheckpointIsTheWholeStoreAtOneMoment", "write time"),
  CHECKPOINT_INTO_EMPTY_DIRECTORY(
      Extensions.class, "aCheckpointIsNotWrittenIntoADirectoryThatExists", "REJECTED"),
  RECLAIM_LOSES_CONCURRENT_WRITES(
      Extensions.class, "reclaimingDisturbsNoReaderOrWriter", "written"),
  RECLAIM_NOT_ATOMIC(Extensions.class, "reclaimingDisturbsNoReaderOrWriter", ""),
  RECLAIM_DROPS_EMPTY_VALUES(Extensions.class, "reclaimingDisturbsNoReaderOrWriter", "");

  /** The part of the contract that must find it. */
  final Class<?> part;

  /** The test of that part which must fail. */
  final String test;

  /** What the failure must say. */
  final String message;

  SubtleFault(Class<?> part, String test, String message) {
    this.part = part;
    this.test = test;
    this.message = message;
  }
}
