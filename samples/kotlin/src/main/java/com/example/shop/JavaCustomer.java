package com.example.shop;

import org.gradwire.rpc.Rpc;

import java.util.List;

/** Java code that calls Kotlin functions. */
final class JavaCustomer {
    private JavaCustomer() {}

    static void buy(Rpc rpc) {
        int cents = rpc.rpcSync("worker1", ShopKt::price, List.of(new Item("pears", 5)));
        System.out.println("Java: 5 pears cost " + cents + " cents");
    }
}
