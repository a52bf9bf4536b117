package sale;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.JSON;
import org.openapitools.client.api.SellApi;
import org.openapitools.client.model.InvoiceOrderRequest;
import org.openapitools.client.model.PlaceOrderRequest;
import org.openapitools.client.model.ShipOrderRequest;

/** A sale by the client of openapi-generator, java. */
public class Sale {
  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("CLIENT_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("CLIENT_TOKEN")));
    var mapper = JSON.getDefault().getMapper();
    var sale = mapper.readTree(Files.readString(Path.of(System.getenv("CLIENT_SALE"))));
    ((ObjectNode) sale.at("/entity/extension_attributes")).put("pos_sale_id", UUID.randomUUID().toString());

    var api = new SellApi(client);
    var id = api.placeOrder(mapper.treeToValue(sale, PlaceOrderRequest.class), null, null, null).getEntityId();
    api.invoiceOrder(id, new InvoiceOrderRequest().capture(true), null);
    api.shipOrder(id, new ShipOrderRequest(), null);
    var sold = api.getOrder(id, null);
    var isSold = "complete".equals(sold.getStatus()) && sold.getTotalPaid().equals(sold.getGrandTotal());
    System.out.printf("%sopenapi-generator, java: order %s, %s of %s paid%n", isSold ? "  ok   " : "  FAIL ",
        sold.getStatus(), sold.getTotalPaid(), sold.getGrandTotal());
    System.exit(isSold ? 0 : 1);
  }
}
