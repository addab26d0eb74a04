package org.hourstone.tsd.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.hourstone.kv.Family;
import org.hourstone.kv.UnreadableRowsException;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.GlobalOptions;
import org.hourstone.tsd.session.LostRows;
import org.hourstone.tsd.session.Session;
import org.hourstone.tsd.terminal.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointFileTest {
  private static final Family FAMILY = new Family("x", "t");

  @TempDir private Path directory;

  private Path path() {
    return directory.resolve("state");
  }

  private CheckpointFile of(String run) {
    return new CheckpointFile(path(), run);
  }

  private void refused(String run, String other) {
    assertThatThrownBy(() -> of(run).read())
        .isInstanceOf(CommandException.class)
        .hasMessage(
            "--resume "
                + path()
                + " is from another run: name another file, or remove it to start at the beginning;"
                + " its run is '"
                + other
                + "', this one is '"
                + run
                + "'");
  }

  @Test
  void theLastCheckpointIsReadVerbatimUntilTheRunIsComplete() {
    assertThat(of("run").read()).isNull();
    for (String checkpoint : new String[] {"1 a \n2 b ", "", "\n", "1 \u00e4"}) {
      of("run\nof two lines").write(checkpoint);
      assertThat(of("run\nof two lines").read()).isEqualTo(checkpoint);
    }
    assertThat(directory).isDirectoryNotContaining("glob:**.next");
    of("run").delete();
    assertThat(directory).isEmptyDirectory();
    of("run").delete();
  }

  /** Also of a run that was interrupted twice, and in which a range is found again. */
  @Test
  void theLostRowsAreKeptWithTheCheckpoint() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    for (int run = 0; run < 3; run++) {
      LostRows lost = lostRows(err);
      CheckpointFile file = new CheckpointFile("--resume", path(), "run", lost);
      assertThat(file.read()).isEqualTo(run == 0 ? null : "ranges 1\n{}\n{}");
      assertThat(lost.ranges()).hasSize(run);
      for (int found = 0; found <= run; found++) {
        byte[] from = {0, 0, 0, 1, (byte) found};
        lost.accept(new UnreadableRowsException("bad", FAMILY, from, null, null));
      }
      assertThat(lost.ranges()).hasSize(run + 1);
      file.write("ranges 1\n{}\n{}");
    }
    assertThat(err.toString(UTF_8).lines().filter(line -> line.contains("lost: rows of x:t")))
        .as("each in each run")
        .hasSize(1 + 2 + 3);
  }

  private static LostRows lostRows(ByteArrayOutputStream err) {
    Streams streams =
        new Streams(
            InputStream.nullInputStream(), OutputStream.nullOutputStream(), err, false, false, 80);
    return new Session(new GlobalOptions() {}, streams, InstantSource.system())
        .store()
        .skipUnreadable();
  }

  @Test
  void aCheckpointOfAnotherRunIsRefused() throws IOException {
    of("run 2").write("1");
    refused("run", "run 2");
    String same = "x".repeat(1000);
    of(same + "1").write("1");
    refused(same + "2", same + "1");
    Files.writeString(path(), "00ab\n"); // of an fsck of an earlier version
    refused("run", "00ab");
  }

  /** An error is one line, and is cut if it is long. */
  @Test
  void ofLongRunsTheDifferenceIsNamed() {
    String same = "a:b c d ".repeat(50);
    of("copy a " + same + "end").write("1");
    assertThatThrownBy(() -> of("copy --update a " + same + "end").read())
        .hasMessageEndingWith("its run is 'copy a …', this one is 'copy --update a …'");
    assertThatThrownBy(() -> of("copy a " + same + "other end").read())
        .hasMessageEndingWith("its run is '… d end', this one is '… d other end'");
    assertThatThrownBy(() -> of("copy a " + same + "end 2").read())
        .hasMessageEndingWith("its run is '… end', this one is '… end 2'");
    assertThatThrownBy(() -> of("copy a " + same).read())
        .hasMessageEndingWith("its run is '… d end', this one is '… d'");
  }

  @Test
  void aFileThatIsNotACheckpointIsRefused() throws IOException {
    Files.writeString(path(), "");
    refused("run", "");
    Files.write(path(), new byte[] {(byte) 0xff, '\n'});
    refused("run", "\ufffd");
    Files.writeString(path(), "run\n");
    assertThat(of("run").read()).isEmpty(); // it is up to the run
    Files.delete(path());
    Files.createDirectory(path());
    assertThatThrownBy(() -> of("run").read()).hasMessageContaining("--resume " + path());
  }

  @Test
  void withoutAFileNothingIsKept() {
    CheckpointFile none = new CheckpointFile(null, "run");
    none.write("1");
    assertThat(none.read()).isNull();
    none.delete();
  }
}
