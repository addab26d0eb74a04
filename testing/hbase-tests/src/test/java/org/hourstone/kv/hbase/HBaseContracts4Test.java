package org.hourstone.kv.hbase;

@Part(3)
class HBaseContracts4Test extends HBaseContracts {}
