package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;

/** {@code import --prometheus} and {@code --openmetrics}. */
class ImportPrometheusTest extends ImportCase {
  private CommandRun run(String in, String... words) {
    List<String> args = new ArrayList<>(List.of("--store", store));
    args.addAll(List.of(words));
    return CommandRun.withInput(in, args.toArray(String[]::new));
  }

  @Test
  void samplesOfPrometheusAreStored() {
    String file =
        file(
            "metrics",
            """
            # TYPE m gauge
            m{a="b"} 1 1700000000000
            m{a="b"} NaN

            m{a="b"} 2 1700000001500
            """);

    CommandRun run = run("", "import", "--auto-metric", "--prometheus", file);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("2 points stored from 1 file");
    assertThat(run.err()).contains("hourstone: NaN skipped: 1\n");
    assertThat(run("", "scan", "--import", "2023/11/14", "2023/11/15", "none:m").out())
        .isEqualTo("m 1700000000 1.0 a=b\nm 1700000001500 2.0 a=b\n");
  }

  @Test
  void timesOfOpenMetricsAreSeconds() {
    String text = "m{a=\"b\"} 1 1700000000.25 # {id=\"x\"} 1\n# EOF\n";

    CommandRun run = run(text, "import", "--auto-metric", "--openmetrics", "-");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("exemplars skipped: 1");
    assertThat(run("", "scan", "--import", "2023/11/14", "2023/11/15", "none:m").out())
        .isEqualTo("m 1700000000250 1.0 a=b\n");
  }

  @Test
  void aLineThatIsNoSampleIsRejectedByItsNumber() {
    String file = file("metrics", "m 1 1700000000000\nm 1 1700000000.5\nm 2 1700000001000\n");

    CommandRun run = run("", "import", "--auto-metric", "--prometheus", file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .contains(file + ":2: the timestamp is not a number of milliseconds: 1700000000.5")
        .contains(" import --prometheus -");
    assertThat(run("", "import", "--auto-metric", "--prometheus", "--skip-errors", file).out())
        .contains("2 points stored")
        .contains("1 line rejected");
  }

  @Test
  void onlyOneFormatCanBeGiven() {
    CommandRun run = run("", "import", "--prometheus", "--csv", "x");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains("of --csv, --json, --prometheus and --openmetrics only one can be given");
  }
}
