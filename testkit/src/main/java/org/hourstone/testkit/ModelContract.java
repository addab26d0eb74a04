package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.ScriptStep.Kept;
import org.hourstone.testkit.ScriptStep.World;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random scripts have the same history on the store as on the model. A failure prints the shortest
 * script found that still shows it.
 */
public abstract class ModelContract extends StoreContract {
  private static final int SCRIPT_LENGTH = 60;
  private static final int MAX_SHRINKS = 600;

  private int prefixes;

  @Test
  final void randomScriptsGiveTheHistoryOfTheModel() {
    boolean givenTimes = keepsTimesBeforeADeletion();
    ScriptGenerator shorts = new ScriptGenerator(random(0), givenTimes, ScriptGenerator.SHORT);
    ScriptGenerator longs = new ScriptGenerator(random(1), givenTimes, ScriptGenerator.LONG);
    int scripts = count("hourstone.contract.scripts", 40);
    for (int i = 0; i < scripts; i++) {
      List<ScriptStep> script = (i % 2 == 0 ? shorts : longs).script(SCRIPT_LENGTH);
      Difference difference = difference(script);
      if (difference != null) {
        Difference shortest = shrink(difference);
        throw new AssertionError(shortest.message(i), shortest.answer().thrown());
      }
    }
  }

  /**
   * Whether a cell may be dated before a deletion. A store that can't show such a cell (HBase)
   * rejects it or dates it later: then no step of the scripts is dated.
   */
  private boolean keepsTimesBeforeADeletion() {
    byte[] row = {'x'};
    byte[] q = {'q'};
    put(row, q, q);
    store().mutate(family(), List.of(new RowMutation(row, new Change.DeleteRow())));
    passTime();
    Change dated = new Change.PutIfNewer(q, q, 1_000);
    try {
      store().mutate(family(), List.of(new RowMutation(row, dated)));
    } catch (StoreException e) {
      assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED);
      return false;
    }
    boolean kept = store().replaceCells(family(), get(row), List.of(new Cell(q, row, 500)));
    assertThat(kept).as("a cell replaced by one that is dated earlier").isTrue();
    boolean exact = get(row).writeTime(0) == 500;
    store().mutate(family(), List.of(new RowMutation(row, new Change.DeleteRow())));
    passTime();
    return exact;
  }

  /** A script, and the step whose result differs from the model's. */
  private record Difference(List<ScriptStep> script, Answer answer, Answer expected) {
    String message(int number) {
      StringBuilder text =
          new StringBuilder("script " + number + " differs from the model at the last of:\n");
      for (ScriptStep step : script) {
        text.append("  ").append(step).append('\n');
      }
      return text + "store: " + answer.text() + "\nmodel: " + expected.text();
    }
  }

  /** Runs a script on store and model; returns the first difference, or null. */
  private @Nullable Difference difference(List<ScriptStep> script) {
    byte[] prefix = {(byte) (prefixes >> 16), (byte) (prefixes >> 8), (byte) prefixes, 'x'};
    prefixes++;
    List<ScriptStep> withEnd = new ArrayList<>(script);
    Bytes first = new Bytes(new byte[0]);
    withEnd.add(
        new ScriptStep.Scanned(
            first, null, new Kept(List.of(), first, null), null, 100, Long.MAX_VALUE));
    try (KeyValueStore model = new ModelStore(fixture().clock())) {
      model.ensure(List.of(new FamilySpec(family(), true)), SchemaMode.CREATE);
      World real = new World(store(), family(), prefix);
      World ideal = new World(model, family(), prefix);
      for (int i = 0; i < withEnd.size(); i++) {
        passTime();
        Answer answer = run(withEnd.get(i), real);
        Answer expected = run(withEnd.get(i), ideal);
        if (!answer.text().equals(expected.text())) {
          return new Difference(withEnd.subList(0, i + 1), answer, expected);
        }
      }
    }
    return null;
  }

  /** A step's result, and its exception if it threw one. */
  private record Answer(String text, @Nullable RuntimeException thrown) {}

  private static Answer run(ScriptStep step, World world) {
    try {
      return new Answer(step.run(world), null);
    } catch (StoreException failure) {
      return new Answer(failure.outcome().toString(), failure);
    } catch (RuntimeException unexpected) {
      return new Answer(unexpected.toString(), unexpected);
    }
  }

  /** Leaves out steps, in ever smaller runs, as long as the script still differs. */
  private Difference shrink(Difference found) {
    Difference best = found;
    int tries = 0;
    for (int run = best.script().size() / 2; run > 0; run /= 2) {
      for (int at = 0; at < best.script().size() && tries < MAX_SHRINKS; tries++) {
        List<ScriptStep> shorter = new ArrayList<>(best.script());
        shorter.subList(at, Math.min(at + run, shorter.size())).clear();
        Difference smaller = difference(shorter);
        if (smaller != null && smaller.script().size() < best.script().size()) {
          best = smaller;
        } else {
          at += run;
        }
      }
    }
    return best;
  }
}
