package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.EventType;

/**
 * What became of a part of the contract that was run on a store.
 *
 * @param failures by test method
 * @param skipped by test method
 */
record ContractRun(Map<String, Throwable> failures, Map<String, Throwable> skipped) {
  /** Threads that are to meet sometimes don't on a busy machine. */
  private static final int RUNS = 5;

  static ContractRun of(Class<? extends KeyValueStoreContract> subject, Class<?> part) {
    return of(selectNestedClass(List.of(subject), part));
  }

  static ContractRun of(
      Class<? extends KeyValueStoreContract> subject, Class<?> part, String test) {
    return of(selectNestedMethod(List.of(subject), part, test));
  }

  /**
   * A run in which a test fails that looks for a planted fault; the last of several if none does.
   */
  static ContractRun failing(
      Class<? extends KeyValueStoreContract> subject, Class<?> part, String test) {
    ContractRun run = of(subject, part, test);
    for (int i = 1; i < RUNS && !run.failures().containsKey(test); i++) {
      run = of(subject, part, test);
    }
    return run;
  }

  private static ContractRun of(DiscoverySelector selector) {
    List<Event> finished =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selector)
            .execute()
            .testEvents()
            .filter(event -> event.getType() == EventType.FINISHED)
            .toList();
    assertThat(finished).hasSizeGreaterThan(0);
    return new ContractRun(thrown(finished, Status.FAILED), thrown(finished, Status.ABORTED));
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
