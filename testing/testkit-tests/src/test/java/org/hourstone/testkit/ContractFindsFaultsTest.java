package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;

/** The contract can fail: each planted fault is found, by the test that should find it. */
class ContractFindsFaultsTest {
  /** What {@link Subject} runs against; one test at a time. */
  private static UnaryOperator<KeyValueStore> fault = store -> store;

  private static Map<String, String> deviations = Map.of();

  /** Not found by Surefire, which leaves out nested classes; run by the tests here. */
  static class Subject extends KeyValueStoreContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return fault.apply(new ModelStore(fixture.clock()));
    }

    @Override
    protected Map<String, String> knownDeviations() {
      return deviations;
    }
  }

  @Test
  void findsLostAppends() {
    assertThat(
            failures(
                BrokenStores::appendsByReadingAndPutting, KeyValueStoreContract.Concurrency.class))
        .contains("appendsAreNeitherLostNorTornAndKeepEachThreadsOrder");
  }

  @Test
  void findsSignedOrder() {
    assertThat(failures(BrokenStores::comparesSignedBytes, KeyValueStoreContract.Scans.class))
        .contains("rowsAscendByUnsignedKey", "randomScansAgreeWithASortedSet");
  }

  @Test
  void findsHalfVisibleRows() {
    assertThat(failures(BrokenStores::showsHalfRows, KeyValueStoreContract.RowAtomicity.class))
        .contains("readersNeverSeeHalfARow");
  }

  @Test
  void findsACompareAndSetThatDoesNotCompare() {
    assertThat(failures(BrokenStores::ignoresWhatIsExpected, KeyValueStoreContract.Atomics.class))
        .contains(
            "compareAndSetCreatesOnlyWhatIsAbsent",
            "compareAndSetChangesOnlyWhatIsAsExpected",
            "compareAndSetRemovesOnlyWhatIsAsExpected");
    assertThat(
            failures(BrokenStores::ignoresWhatIsExpected, KeyValueStoreContract.Concurrency.class))
        .contains("exactlyOneCallerWinsACompareAndSet");
  }

  @Test
  void findsCursorsThatEndWhenTheStoreIsClosed() {
    assertThat(failures(BrokenStores::endsScansWhenClosed, KeyValueStoreContract.Lifecycle.class))
        .contains("cursorsEndWithAnErrorWhenTheStoreIsClosed", "aClosedCursorIsNotUsed");
  }

  @Test
  void findsScansThatSkipMatches() {
    assertThat(failures(BrokenStores::seeksTooFar, KeyValueStoreContract.Filters.class))
        .contains("fuzzyRowsAgreeWithTheirReference", "combinedFiltersAgreeWithTheirReference");
  }

  @Test
  void findsReplacementsThatSwallowIntruders() {
    assertThat(
            failures(
                BrokenStores::replacesWithoutLooking, KeyValueStoreContract.Replacements.class))
        .contains(
            "replaceCellsDoesNothingIfAnObservedCellHasChanged",
            "replaceCellsDoesNothingIfAnUnobservedCellHasAReplacementsQualifier",
            "replaceCellsDoesNothingIfAnObservedCellWasAppendedTo",
            "replaceCellsDoesNothingIfAnObservedCellWasWrittenAgainWithItsValue");
    assertThat(
            failures(
                BrokenStores::replacesWithoutLooking, KeyValueStoreContract.ReplacementRaces.class))
        .contains("noPutIsLostWhileARowIsRewritten");
  }

  @Test
  void findsPromisesThatAreNotKept() {
    assertThat(failures(BrokenStores::promisesEverything, KeyValueStoreContract.Durability.class))
        .contains(
            "aDurableStoreReopensAsItWasClosed",
            "whatWasAcknowledgedSurvivesTheDeathOfTheProcess",
            "aSharedStoreSeesWhatAnotherProcessWrites");
  }

  @Test
  void findsBatchesRefusedTooLate() {
    assertThat(failures(BrokenStores::checksBatchesLate, KeyValueStoreContract.Writes.class))
        .contains(
            "twoElementsForOneRowAreRefusedBeforeAnyEffect",
            "twoChangesOfOneCellAreRefusedBeforeAnyEffect",
            "aRowDeletionBesideAnotherChangeIsRefusedBeforeAnyEffect");
  }

  @Test
  void findsTimesOfAnotherClock() {
    assertThat(failures(BrokenStores::datesByItsOwnClock, KeyValueStoreContract.WriteTimes.class))
        .contains("writeTimesTheStoreAssignsComeFromTheClockItWasGiven");
    assertThat(failures(BrokenStores::datesByItsOwnClock, KeyValueStoreContract.Traits.class))
        .contains("withMonotonicWriteTimesEveryChangeOfARowIsLaterThanTheLast");
  }

  @Test
  void findsWrongOutcomesAndMessages() {
    assertThat(failures(BrokenStores::doesNotKnowRejected, KeyValueStoreContract.Atomics.class))
        .containsExactly("anIncrementOfWhatIsNoCounterIsRejectedAndChangesNothing");
    assertThat(failures(BrokenStores::namesOneMissingFamily, KeyValueStoreContract.Lifecycle.class))
        .containsExactly("verifyNamesEveryMissingFamilyAndCreatesNone");
  }

  @Test
  void theModelPrintsAShortScriptAndTheSeed() {
    Map<String, Throwable> failures =
        run(BrokenStores::replacesWithoutLooking, Map.of(), KeyValueStoreContract.Model.class)
            .failures();

    Throwable failure = failures.get("randomScriptsGiveTheHistoryOfTheModel");
    assertThat(failure)
        .message()
        .contains("store:", "model:", "Observe", "Replace")
        .hasLineCount(7);
    assertThat(failure)
        .extracting(Throwable::getSuppressed)
        .asInstanceOf(InstanceOfAssertFactories.array(Throwable[].class))
        .satisfiesExactly(
            note -> assertThat(note).hasMessageContaining("hourstone.contract.seed="));
  }

  @Test
  void aDeclaredDeviationThatFailsIsSkippedWithItsReason() {
    ContractRun run =
        run(
            BrokenStores::doesNotKnowRejected,
            Map.of(
                "anIncrementOfWhatIsNoCounterIsRejectedAndChangesNothing",
                "https://example.org/1: the server does not tell"),
            KeyValueStoreContract.Atomics.class);

    assertThat(run.failures()).isEmpty();
    assertThat(run.skipped().values())
        .anySatisfy(skipped -> assertThat(skipped).hasMessageContaining("example.org/1"));
  }

  @Test
  void aDeclaredDeviationThatPassesFails() {
    ContractRun run =
        run(
            store -> store,
            Map.of("anIncrementWrapsAround", "https://x/1"),
            KeyValueStoreContract.Atomics.class);

    assertThat(run.failures().keySet()).containsExactly("anIncrementWrapsAround");
    assertThat(run.failures().get("anIncrementWrapsAround")).hasMessageContaining("https://x/1");
  }

  @Test
  void aDeviationMustNameATestAndAReason() {
    ContractRun misspelt =
        run(
            store -> store,
            Map.of("anIncrementWraps", "a reason"),
            KeyValueStoreContract.Filters.class);
    ContractRun silent =
        run(
            store -> store,
            Map.of("anIncrementWrapsAround", " "),
            KeyValueStoreContract.Filters.class);

    assertThat(misspelt.failures()).isNotEmpty();
    assertThat(misspelt.failures().values())
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining("anIncrementWraps"));
    assertThat(silent.failures().values())
        .isNotEmpty()
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining("no reason"));
  }

  private static Set<String> failures(UnaryOperator<KeyValueStore> broken, Class<?> part) {
    return run(broken, Map.of(), part).failures().keySet();
  }

  private static ContractRun run(
      UnaryOperator<KeyValueStore> broken, Map<String, String> declared, Class<?> part) {
    fault = broken;
    deviations = declared;
    return ContractRun.of(Subject.class, part);
  }
}
