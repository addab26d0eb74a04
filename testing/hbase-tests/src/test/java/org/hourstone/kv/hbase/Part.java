package org.hourstone.kv.hbase;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Which of the nested classes are run: each belongs to exactly one of {@value #COUNT} parts. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Part.Condition.class)
@interface Part {
  /** How many parts there are. */
  int COUNT = 4;

  /** 0 to {@link #COUNT} - 1. */
  int value();

  /** Runs the nested classes of a part. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      Class<?> nested = context.getRequiredTestClass();
      if (nested.getEnclosingClass() == null || context.getTestMethod().isPresent()) {
        return ConditionEvaluationResult.enabled("not a contract");
      }
      Part part =
          context
              .getParent()
              .flatMap(ExtensionContext::getTestClass)
              .orElseThrow()
              .getAnnotation(Part.class);
      int own = Math.floorMod(nested.getSimpleName().hashCode(), COUNT);
      return own == part.value()
          ? ConditionEvaluationResult.enabled("in this part")
          : ConditionEvaluationResult.disabled("in part " + own);
    }
  }
}
