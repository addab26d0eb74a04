package org.hourstone.testing.example;

import org.hourstone.testkit.ScanContract;
import org.hourstone.testkit.StoreUnderTest;

/** One part of the contract alone. */
class OnlyScansTest extends ScanContract {
  @Override
  protected StoreUnderTest subject() {
    return new TinyStoreContractTest();
  }
}
