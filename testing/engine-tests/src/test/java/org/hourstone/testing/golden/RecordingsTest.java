package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which recordings of a directory are played. */
class RecordingsTest {
  private static final String SCENARIO =
      "[{\"scenario\":\"one\",\"stages\":[{\"writes\":[],\"cells\":[]}]}]";
  private static final String QUERY =
      "[{\"name\":\"q\",\"method\":\"GET\",\"path\":\"/api/query\",\"status\":400}]";
  private static final String POINT = "put m 1500001200 1 host=a\n";

  @TempDir private Path directory;
  private final String before = System.getProperty("golden.dir", "");

  @BeforeEach
  void playThisDirectory() {
    System.setProperty("golden.dir", directory.toString());
  }

  @AfterEach
  void playAsBefore() {
    System.setProperty("golden.dir", before);
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(directory.resolve(file), text);
  }

  @Test
  void scenariosAloneArePlayed() throws IOException {
    write("mine.json", SCENARIO);
    assertThat(Recordings.scenarios()).hasSize(1);
    assertThat(Recordings.queries()).isEmpty();
  }

  @Test
  void queriesAloneArePlayed() throws IOException {
    write("queries.json", QUERY);
    write("queries-dataset.txt", POINT);
    assertThat(Recordings.scenarios()).isEmpty();
    assertThat(Recordings.queries().orElseThrow().points()).containsExactly(POINT.strip());
  }

  @Test
  void queriesNeedTheirPoints() throws IOException {
    write("queries.json", QUERY);
    assertThatThrownBy(Recordings::queries).hasMessageContaining("queries-dataset.txt");
    assertThatThrownBy(Recordings::scenarios).hasMessageContaining("queries-dataset.txt");
  }

  @Test
  void nothingToPlayIsAnError() {
    assertThatThrownBy(Recordings::queries).hasMessageContaining("neither scenarios nor queries");
    assertThatThrownBy(Recordings::scenarios).hasMessageContaining("neither scenarios nor queries");
  }

  @Test
  void whatIsNoRecordingIsAnError() throws IOException {
    write("mine.json", "{}");
    assertThatThrownBy(Recordings::scenarios).hasMessageContaining("mine.json");
    assertThatThrownBy(Recordings::queries).hasMessageContaining("mine.json");
  }
}
