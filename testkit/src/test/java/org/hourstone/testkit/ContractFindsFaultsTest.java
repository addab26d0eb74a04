package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.EventType;

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
    assertThat(failures(BrokenStores::showsHalfRows, KeyValueStoreContract.Concurrency.class))
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
    assertThat(failures(BrokenStores::replacesWithoutLooking, KeyValueStoreContract.Atomics.class))
        .contains(
            "replaceCellsDoesNothingIfAnObservedCellHasChanged",
            "replaceCellsDoesNothingIfAnUnobservedCellHasAReplacementsQualifier",
            "replaceCellsDoesNothingIfAnObservedCellWasAppendedTo",
            "replaceCellsDoesNothingIfAnObservedCellWasWrittenAgainWithItsValue");
    assertThat(
            failures(BrokenStores::replacesWithoutLooking, KeyValueStoreContract.Concurrency.class))
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

  /** A journal whose last records wait in memory, which a marker file asks for. */
  static class Forgetful extends JournalStoreContractTest {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      try {
        Files.writeString(fixture.directory().resolve("forgetful"), "");
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
      return super.open(fixture);
    }
  }

  @Test
  void findsWritesLostWithTheProcess() {
    assertThat(run(Forgetful.class, KeyValueStoreContract.Durability.class).failures().keySet())
        .containsExactly("whatWasAcknowledgedSurvivesTheDeathOfTheProcess");
  }

  @Test
  void findsBatchesRefusedTooLate() {
    assertThat(failures(BrokenStores::checksBatchesLate, KeyValueStoreContract.Writes.class))
        .containsExactlyInAnyOrder(
            "twoElementsForOneRowAreRefusedBeforeAnyEffect",
            "twoChangesOfOneCellAreRefusedBeforeAnyEffect",
            "aRowDeletionBesideAnotherChangeIsRefusedBeforeAnyEffect");
  }

  @Test
  void findsTimesOfAnotherClock() {
    assertThat(failures(BrokenStores::datesByItsOwnClock, KeyValueStoreContract.Writes.class))
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
    Run run =
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
    Run run =
        run(
            store -> store,
            Map.of("anIncrementWrapsAround", "https://x/1"),
            KeyValueStoreContract.Atomics.class);

    assertThat(run.failures().keySet()).containsExactly("anIncrementWrapsAround");
    assertThat(run.failures().get("anIncrementWrapsAround")).hasMessageContaining("https://x/1");
  }

  @Test
  void aDeviationMustNameATestAndAReason() {
    Run misspelt =
        run(
            store -> store,
            Map.of("anIncrementWraps", "a reason"),
            KeyValueStoreContract.Filters.class);
    Run silent =
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

  private record Run(Map<String, Throwable> failures, Map<String, Throwable> skipped) {}

  private static Set<String> failures(UnaryOperator<KeyValueStore> broken, Class<?> part) {
    return run(broken, Map.of(), part).failures().keySet();
  }

  private static Run run(
      UnaryOperator<KeyValueStore> broken, Map<String, String> declared, Class<?> part) {
    fault = broken;
    deviations = declared;
    return run(Subject.class, part);
  }

  private static Run run(Class<? extends KeyValueStoreContract> subject, Class<?> part) {
    List<Event> finished =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectNestedClass(List.of(subject), part))
            .execute()
            .testEvents()
            .filter(event -> event.getType() == EventType.FINISHED)
            .toList();
    assertThat(finished).hasSizeGreaterThan(0);
    return new Run(thrown(finished, Status.FAILED), thrown(finished, Status.ABORTED));
  }

  private static Map<String, Throwable> thrown(List<Event> finished, Status status) {
    return finished.stream()
        .filter(event -> result(event).getStatus() == status)
        .collect(
            Collectors.toMap(
                event -> name(event.getTestDescriptor()),
                event -> result(event).getThrowable().orElseThrow(),
                (one, other) -> one,
                TreeMap::new));
  }

  private static TestExecutionResult result(Event event) {
    return event.getRequiredPayload(TestExecutionResult.class);
  }

  private static String name(TestDescriptor test) {
    return ((MethodSource) test.getSource().orElseThrow()).getMethodName();
  }
}
