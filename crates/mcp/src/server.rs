//! The SDK's handler: what the server says of itself, the list of tools, and the calls.

use crate::answer::{self, Progress};
use crate::calls::{Calls, Lanes, Ticket};
use crate::catalog::{self, Catalog};
use crate::instructions;
use crate::options::{Options, Spelling, ToolNames, UnknownTool};
use crate::outbox::Outbox;
use crossmacro_model::{Code, Fault};
use crossmacro_ops::{Call, Context, Surface, guard};
use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, DiscoverResult,
    ErrorCode, Implementation, InitializeRequestParams, InitializeResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Methods that the SDK knows: one of these arrives as a "custom" request when its parameters don't fit.
const KNOWN_METHODS: [&str; 7] = [
    "initialize",
    "server/discover",
    "ping",
    "tools/list",
    "tools/call",
    "completion/complete",
    "logging/setLevel",
];

/// One session's server.
#[derive(Clone)]
pub(crate) struct Server {
    inner: Arc<Inner>,
}

struct Inner {
    context: Arc<Context>,
    catalog: Catalog,
    names: ToolNames,
    calls: Arc<Calls>,
    lanes: Lanes,
    outbox: Outbox,
}

impl Server {
    pub(crate) fn new(context: Arc<Context>, options: &Options, outbox: Outbox) -> Result<Self, UnknownTool> {
        let catalog = Catalog::new(options, context.is_restricted())?;
        let names = options.names;
        let inner = Inner { context, catalog, names, calls: Arc::default(), lanes: Lanes::new(), outbox };
        Ok(Self { inner: Arc::new(inner) })
    }

    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.inner.context
    }

    pub(crate) fn calls(&self) -> &Arc<Calls> {
        &self.inner.calls
    }

    fn config(&self, spelling: Spelling) -> ServerConfig {
        let mut identity = Implementation::new("CrossMacro", env!("CARGO_PKG_VERSION"));
        identity.title = Some("CrossMacro MCP".to_owned());
        identity.description = Some("Sees and works a desktop: screen, input, windows, clipboard".to_owned());
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(identity)
            .with_instructions(instructions::text(spelling))
    }

    fn spelling(&self, client: Option<&Implementation>) -> Spelling {
        self.inner.names.for_client(client.map(|client| client.name.as_str()))
    }

    /// Carries out one call on a thread of its own. `arguments` are what the client sent, of any type: the
    /// guard says what is wrong with them.
    async fn call(
        &self,
        name: String,
        arguments: Value,
        context: RequestContext<RoleServer>,
    ) -> CallToolResult {
        let Some(entry) = self.inner.catalog.find(&name) else {
            return answer::result(&self.unknown(&name));
        };
        let Some(ticket) = self.inner.calls.enter(entry.spec().name) else {
            return answer::refusal(answer::too_many());
        };
        let turn = tokio::select! {
            turn = self.inner.lanes.turn(entry) => turn,
            () = context.ct.cancelled() => return answer::refusal(answer::cancelled()),
        };
        let cancel = ticket.cancel.clone();
        let token = context.meta.get_progress_token();
        let progress = token.map(|token| Progress::new(self.inner.outbox.clone(), token, cancel.clone()));
        let desktop = Arc::clone(&self.inner.context);
        let mut work = tokio::task::spawn_blocking(move || {
            let result = work(&desktop, &ticket, progress.as_ref(), entry.spec().name, arguments);
            drop((turn, ticket));
            result
        });
        let done = tokio::select! {
            done = &mut work => done,
            () = context.ct.cancelled() => {
                cancel.cancel();
                work.await
            }
        };
        done.unwrap_or_else(|_| {
            answer::refusal(Fault::new(Code::RuntimeError, "the call ended unexpectedly"))
        })
    }

    /// The answer for a tool that is not offered: the guard's own, unless the tool exists and was left out.
    fn unknown(&self, name: &str) -> crossmacro_ops::Response {
        if let Some(entry) = catalog::tool_named(name) {
            let fault = Fault::new(
                Code::ToolNotAllowed,
                format!("{} is not offered by this server", entry.spec().name),
            )
            .remedy("the server was started with a list of tools (--tools) that leaves it out");
            return crossmacro_ops::Response::failed(fault, Map::new());
        }
        let cancel = crossmacro_platform::Cancel::new();
        guard::call(&self.inner.context, &Call::new(Surface::Mcp, &cancel), name, Value::Null)
    }
}

fn work(
    context: &Context,
    ticket: &Ticket,
    progress: Option<&Progress>,
    name: &str,
    arguments: Value,
) -> CallToolResult {
    if ticket.cancel.is_cancelled() {
        return answer::refusal(answer::cancelled());
    }
    let report = progress
        .map(|progress| |done: f64, total: Option<f64>, message: &str| progress.report(done, total, message));
    let mut call = Call::new(Surface::Mcp, &ticket.cancel);
    call.report = report.as_ref().map(|report| report as _);
    answer::result(&guard::call(context, &call, name, arguments))
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        self.config(Spelling::Dotted)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        result.instructions = Some(instructions::text(self.spelling(Some(&request.client_info))));
        Ok(result)
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let spelling = self.spelling(context.meta.client_info().as_ref());
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.config(spelling)))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params("the list has one page; there is no such cursor", None));
        }
        let spelling = self.spelling(context.client_info().as_ref());
        Ok(ListToolsResult::with_all_items(self.inner.catalog.tools(spelling)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        Ok(self.call(request.name.into_owned(), arguments, context).await.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let CustomRequest { method, params, .. } = request;
        if !KNOWN_METHODS.contains(&method.as_str()) {
            let shown: String = method.chars().take(64).collect();
            return Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                format!("there is no method {shown:?}"),
                None,
            ));
        }
        let malformed =
            || ErrorData::invalid_params(format!("the params don't fit the method {method}"), None);
        let Some(Value::Object(mut params)) = params.filter(|_| method == "tools/call") else {
            return Err(malformed());
        };
        let (Some(Value::String(name)), Some(arguments)) =
            (params.remove("name"), params.remove("arguments"))
        else {
            return Err(malformed());
        };
        // Arguments that are no object: a fault of the call, which the model can mend, not of the protocol.
        let is_modern =
            context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        let mut result = self.call(name, arguments, context).await;
        if !is_modern {
            result.result_type = None;
        }
        serde_json::to_value(result)
            .map(CustomResult::new)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}
