package org.hourstone.testkit;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * Runs declared deviations expecting failure, and adds the seed to failures. A deviation that fails
 * as declared is reported as aborted with its reason, so that it stays visible.
 */
final class ContractExtension implements InvocationInterceptor {
  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    StoreContract contract = (StoreContract) context.getRequiredTestInstance();
    Map<String, String> deviations = contract.subject().knownDeviations();
    refuseUnknown(deviations);
    String name = method.getExecutable().getName();
    String reason = deviations.get(name);
    if (reason == null) {
      try {
        TestDeadline.run(contract.subject().timeLimit(), name, invocation::proceed);
      } catch (TestAbortedException skipped) {
        throw skipped;
      } catch (Throwable failure) {
        failure.addSuppressed(new SeedNote(contract.fixture().seed()));
        throw failure;
      }
    } else {
      expectFailure(contract.subject(), invocation, name, reason);
    }
  }

  private static void expectFailure(
      StoreUnderTest subject, Invocation<Void> invocation, String name, String reason)
      throws Throwable {
    try {
      TestDeadline.run(subject.timeLimit(), name, invocation::proceed);
    } catch (TestAbortedException skipped) {
      throw skipped;
    } catch (AssertionError | Exception expected) {
      throw new TestAbortedException("known deviation: " + reason, expected);
    }
    throw new AssertionError(
        name + " passes: take it out of knownDeviations(), where it says: " + reason);
  }

  private static void refuseUnknown(Map<String, String> deviations) {
    Set<String> unknown = new TreeSet<>(deviations.keySet());
    unknown.removeAll(StoreContract.testNames());
    if (!unknown.isEmpty()) {
      throw new AssertionError(
          "knownDeviations() has names that are not contract tests: " + unknown);
    }
    deviations.forEach(
        (name, reason) -> {
          if (reason.isBlank()) {
            throw new AssertionError("knownDeviations() gives no reason for " + name);
          }
        });
  }

  /** Printed below a failure; has no stack of its own. */
  private static final class SeedNote extends Exception {
    private static final long serialVersionUID = 1L;

    SeedNote(long seed) {
      super("the seed was " + seed + "; repeat with -Dhourstone.contract.seed=" + seed);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }
}
