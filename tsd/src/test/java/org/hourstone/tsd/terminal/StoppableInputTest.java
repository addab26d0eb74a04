package org.hourstone.tsd.terminal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StoppableInputTest {
  @Test
  void allBytesAreReadInTheirOrder() throws IOException {
    byte[] bytes = new byte[300_000];
    new Random(1).nextBytes(bytes);
    InputStream in = new StoppableInput(new ByteArrayInputStream(bytes));
    assertThat(in.read()).isEqualTo(bytes[0] & 0xFF);
    assertThat(in.readNBytes(100)).isEqualTo(Arrays.copyOfRange(bytes, 1, 101));
    assertThat(in.readAllBytes()).hasSize(bytes.length - 101);
    assertThat(in.read()).isEqualTo(-1);
    assertThat(in.read()).isEqualTo(-1);
  }

  @Test
  void whatWasReadBeforeTheStopIsReturned() throws IOException {
    PipedOutputStream out = new PipedOutputStream();
    StoppableInput in = new StoppableInput(new PipedInputStream(out));
    out.write("one line".getBytes(US_ASCII));
    assertThat(in.read()).isEqualTo('o');
    in.stop();
    assertThat(in.readNBytes(7)).isEqualTo("ne line".getBytes(US_ASCII));
    assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class).hasMessage("stopped");
  }

  /** The producer may have been stopped, too, and have ended within a line. */
  @Test
  void afterTheStopTheEndIsNotReturned() throws IOException {
    StoppableInput in = new StoppableInput(new ByteArrayInputStream("half".getBytes(US_ASCII)));
    assertThat(in.readNBytes(4)).hasSize(4);
    assertThat(in.read()).isEqualTo(-1);
    in.stop();
    assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class).hasMessage("stopped");
  }

  @Test
  void aReadThatWaitsEndsWithTheStop() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    StoppableInput in =
        new StoppableInput(
            new InputStream() {
              @Override
              public int read() {
                reading.countDown();
                try {
                  never.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                return -1;
              }

              @Override
              public int read(byte[] into, int offset, int length) {
                return read();
              }
            });
    Thread stopping =
        new Thread(
            () -> {
              try {
                reading.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              in.stop();
            });
    stopping.start();
    assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class).hasMessage("stopped");
    stopping.join();
    never.countDown();
  }

  @Test
  void aFailureIsThatOfTheInput() {
    InputStream in =
        new StoppableInput(
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("the disk is broken");
              }

              @Override
              public int read(byte[] into, int offset, int length) throws IOException {
                return read();
              }
            });
    assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessage("the disk is broken");
  }
}
