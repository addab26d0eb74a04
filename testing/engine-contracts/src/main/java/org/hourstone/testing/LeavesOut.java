package org.hourstone.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Names contracts that are not run on a store, since they test code above it, and the store does
 * for them nothing that the other contracts do not test. They are run on the store in memory and on
 * RocksDB. A contract that is not named is run: a new one on all stores.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(LeavesOut.Condition.class)
public @interface LeavesOut {
  /** The contracts, which nested classes extend. */
  Class<?>[] value();

  /** Leaves out the nested classes. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      Class<?> nested = context.getRequiredTestClass();
      Class<?> contract = nested.getSuperclass();
      boolean leftOut =
          context
              .getParent()
              .flatMap(ExtensionContext::getTestClass)
              .map(outer -> outer.getAnnotation(LeavesOut.class))
              .filter(named -> Arrays.asList(named.value()).contains(contract))
              .isPresent();
      return leftOut
          ? ConditionEvaluationResult.disabled("run in memory and on RocksDB")
          : ConditionEvaluationResult.enabled("");
    }
  }
}
